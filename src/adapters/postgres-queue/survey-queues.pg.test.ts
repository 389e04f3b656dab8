import { afterAll, beforeAll, jest } from '@jest/globals';
import { silentLogger } from '../../logging/logger.js';
import { describeDraining } from '../../testing/contract/describe-draining.js';
import { PostgresQueueTestBroker } from '../../testing/contract/postgres-queue-broker.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { surveyQueues } from './survey-queues.js';

jest.setTimeout(60_000);

let test: TestDatabase;

beforeAll(async () => {
  test = await openTestDatabase({ on: 'postgres' });
});

afterAll(() => test.close());

describeDraining('postgres', {
  open: () => PostgresQueueTestBroker.open(test),
  prefixOf: ({ options }) => options.prefix,
  surveyOf:
    ({ options }, prefix) =>
    (deadlineMs) =>
      surveyQueues(test.database, { ...options, prefix }, deadlineMs, silentLogger),
  makesItsOwn: true,
});
