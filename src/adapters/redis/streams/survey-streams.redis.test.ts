import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '../../../logging/logger.js';
import { topics } from '../../../messaging/topic.js';
import { describeDraining } from '../../../testing/contract/describe-draining.js';
import { StreamsTestBroker } from '../../../testing/contract/streams-broker.js';
import { OwnRedis } from '../../../testing/own-redis.js';
import { surveyStreams } from './survey-streams.js';

jest.setTimeout(60_000);

let server: OwnRedis;

beforeAll(async () => {
  server = await OwnRedis.create();
});

afterAll(() => server.remove());

describeDraining('redis', {
  open: () => StreamsTestBroker.open(server.url),
  prefixOf: ({ options }) => options.prefix,
  surveyOf:
    ({ options }, prefix) =>
    (deadlineMs) =>
      surveyStreams({ ...options, prefix, partitions: 1 }, deadlineMs, silentLogger),
});

describe('looking what Redis has', () => {
  it('counts on streams that are yet to come where the service has been before', async () => {
    const broker = await StreamsTestBroker.open(server.url);
    const found = await surveyStreams(broker.options, 5_000, silentLogger);
    expect([found.topics, found.missing]).toEqual([topics, []]);
    await broker.close();
  });

  it('says that it is away', async () => {
    const broker = await StreamsTestBroker.open(server.url);
    await broker.close();
    await server.kill();
    const looking = surveyStreams(broker.options, 2_000, silentLogger);
    await expect(looking).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    await server.start();
  });
});
