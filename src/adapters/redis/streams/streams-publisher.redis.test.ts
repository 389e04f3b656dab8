import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StartRefusal } from '../../../domain/start-refusal.js';
import { silentLogger, type Logger } from '../../../logging/logger.js';
import { ConsumerGroup, Topic } from '../../../messaging/topic.js';
import { buildMessage, deadlineMs } from '../../../testing/contract/messaging-bench.js';
import { StreamsTestBroker } from '../../../testing/contract/streams-broker.js';
import { listeningLogger, type LogLine } from '../../../testing/listening-logger.js';
import { OwnRedis, type OwnRedisOptions } from '../../../testing/own-redis.js';
import { streamFor } from './stream-names.js';
import type { StreamOptions } from './stream-options.js';
import { StreamsConsumers } from './streams-consumers.js';
import { StreamsPublisher } from './streams-publisher.js';

describe('StreamsPublisher', () => {
  let server: OwnRedis;
  let broker: StreamsTestBroker;
  let publishers: StreamsPublisher[];

  beforeAll(async () => {
    server = await OwnRedis.create();
  });

  afterAll(() => server.remove());

  beforeEach(async () => {
    broker = await StreamsTestBroker.open(server.url);
    publishers = [];
  });

  afterEach(async () => {
    await Promise.all(publishers.map((publisher) => publisher.stop()));
    await broker.close();
  });

  const start = async (
    change: Partial<StreamOptions> = {},
    logger: Logger = silentLogger,
  ): Promise<StreamsPublisher> => {
    const publisher = new StreamsPublisher({ ...broker.options, ...change }, logger);
    publishers.push(publisher);
    await publisher.start();
    return publisher;
  };

  const refusal = (promise: Promise<unknown>): Promise<Error> =>
    promise.then(
      () => Promise.reject(new Error('it was not refused')),
      (error: Error) => error,
    );

  it('does not start beside processes that share messages among another number of streams', async () => {
    const error = await refusal(start({ partitions: 5 }));
    expect(error).toBeInstanceOf(StartRefusal);
    expect(error.message).toContain('TOPIC_PARTITIONS=3');
    const consumer = new StreamsConsumers({ ...broker.options, partitions: 5 }, silentLogger).create(
      ConsumerGroup.Index,
    );
    expect(await refusal(consumer.start(() => Promise.resolve({ type: 'done' })))).toBeInstanceOf(StartRefusal);
    await consumer.stop();
  });

  it('does not start where something else lies under the name of a stream', async () => {
    const stream = streamFor(broker.options, Topic.DeleteIndex, '1');
    await broker.ask((redis) => redis.set(stream, 'mine'));
    const error = await refusal(start());
    expect(error).toBeInstanceOf(StartRefusal);
    expect(error.message).toContain(stream);
  });

  it.each<[string, OwnRedisOptions, string]>([
    ['a wrong password', { password: 'open-sesame' }, 'wrong'],
    ['no password', { password: 'open-sesame' }, ''],
  ])('does not start with %s', async (_, options, password) => {
    const locked = await OwnRedis.create(options);
    try {
      const url = locked.url.replace(':open-sesame@', password === '' ? '' : `:${password}@`);
      expect(await refusal(start({ url }))).toBeInstanceOf(StartRefusal);
    } finally {
      await locked.remove();
    }
  });

  it('says at its start, once, that Redis keeps nothing on disk', async () => {
    const lines: LogLine[] = [];
    await start({}, listeningLogger(lines));
    const warnings = lines.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ fields }) => fields.weakness)).toEqual([expect.stringContaining('appendonly yes')]);
  });

  it('stores all messages of a send or none', async () => {
    await broker.ask((redis) => redis.config('SET', 'maxmemory', '1'));
    try {
      const sending = broker.publisher.publish([buildMessage('1'), buildMessage('2')], { deadlineMs });
      await expect(sending).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    } finally {
      await broker.ask((redis) => redis.config('SET', 'maxmemory', '0'));
    }
    expect(await broker.stored(Topic.BuildIndex)).toBe(0);
  });
});
