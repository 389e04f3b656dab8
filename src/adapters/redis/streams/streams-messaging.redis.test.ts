import { afterAll, beforeAll, jest } from '@jest/globals';
import { describeMessaging } from '../../../testing/contract/messaging-contract.js';
import { StreamsTestBroker } from '../../../testing/contract/streams-broker.js';
import { OwnRedis } from '../../../testing/own-redis.js';

jest.setTimeout(60_000);

let server: OwnRedis;

beforeAll(async () => {
  server = await OwnRedis.create();
});

afterAll(() => server.remove());

describeMessaging('redis', {
  open: () => StreamsTestBroker.open(server.url),
  servesProcesses: true,
  pickupMs: 500,
});
