import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { StartRefusal } from '../../../domain/start-refusal.js';
import { silentLogger } from '../../../logging/logger.js';
import { ConsumerGroup, Topic } from '../../../messaging/topic.js';
import { acceptingInbox } from '../../../testing/contract/inbox.js';
import { buildMessage, deadlineMs } from '../../../testing/contract/messaging-bench.js';
import { StreamsTestBroker } from '../../../testing/contract/streams-broker.js';
import { OwnRedis } from '../../../testing/own-redis.js';
import { prepareStreams } from './prepare-streams.js';
import { StreamsPublisher } from './streams-publisher.js';

describe('preparing streams', () => {
  let server: OwnRedis;
  let broker: StreamsTestBroker;

  beforeAll(async () => {
    server = await OwnRedis.create();
  });

  afterAll(() => server.remove());

  beforeEach(async () => {
    broker = await StreamsTestBroker.open(server.url);
  });

  afterEach(() => broker.close());

  it('changes nothing when it is repeated, and says what it found', async () => {
    expect(await prepareStreams(broker.options)).toMatchObject({ before: 3, weaknesses: [expect.anything()] });
    expect(await prepareStreams({ ...broker.options, prefix: `${broker.options.prefix}-x` })).toMatchObject({
      before: undefined,
    });
  });

  it('changes the number of partitions once nothing is unread and nobody reads', async () => {
    const more = { ...broker.options, partitions: 5 };
    await broker.publisher.publish([buildMessage('1')], { deadlineMs });
    await expect(prepareStreams(more)).rejects.toThrow('1 messages are unread');
    const inbox = acceptingInbox();
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    while ((await broker.stored(Topic.BuildIndex)) > 0) await pause(20);
    await expect(prepareStreams(more)).rejects.toBeInstanceOf(StartRefusal);
    await consumer.stop();
    expect(await prepareStreams(more)).toMatchObject({ before: 3 });
    const publisher = new StreamsPublisher(more, silentLogger);
    await publisher.start();
    await publisher.stop();
  });

  it('says when Redis is away', async () => {
    const away = { ...broker.options, url: 'redis://127.0.0.1:1' };
    await expect(prepareStreams(away)).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
  });
});
