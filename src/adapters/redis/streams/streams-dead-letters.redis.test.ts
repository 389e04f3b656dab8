import { afterAll, beforeAll, jest } from '@jest/globals';
import { describeDeadLetters } from '../../../testing/contract/dead-letters-contract.js';
import { StreamsTestBroker } from '../../../testing/contract/streams-broker.js';
import { OwnRedis } from '../../../testing/own-redis.js';

jest.setTimeout(60_000);

let server: OwnRedis;
beforeAll(async () => {
  server = await OwnRedis.create();
});
afterAll(() => server.remove());

describeDeadLetters('redis', () => StreamsTestBroker.open(server.url));
