import { afterAll, beforeAll, jest } from '@jest/globals';
import { describeMessaging } from '../../testing/contract/messaging-contract.js';
import { PostgresQueueTestBroker } from '../../testing/contract/postgres-queue-broker.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';

jest.setTimeout(60_000);

let test: TestDatabase;

beforeAll(async () => {
  test = await openTestDatabase({ on: 'pglite' });
});

afterAll(() => test.close());

describeMessaging('pglite', {
  open: () => PostgresQueueTestBroker.open(test),
  servesProcesses: false,
  pickupMs: 200,
  flood: 1_000,
});
