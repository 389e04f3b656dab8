import { Redis } from 'ioredis';
import { streamFor, streamsOf } from '../../dist/src/adapters/redis/streams/stream-names.js';
import { defaultTimings } from '../../dist/src/adapters/redis/streams/stream-options.js';
import { StreamsConsumers } from '../../dist/src/adapters/redis/streams/streams-consumers.js';
import { StreamsPublisher } from '../../dist/src/adapters/redis/streams/streams-publisher.js';
import { silentLogger } from '../../dist/src/logging/logger.js';
import { AdapterSide } from './adapter-side.mjs';

export async function open(prefix) {
  const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
  const options = { url, prefix, partitions: 3, deadLettersKept: 1_000, sendDeadlineMs: 10_000 };
  const redis = new Redis(url);
  const publisher = new StreamsPublisher(options, silentLogger);
  await publisher.start();
  return {
    byHand: new RedisByHand(redis, { ...options, prefix: `${prefix}-by-hand` }),
    adapter: new AdapterSide(publisher, new StreamsConsumers(options, silentLogger, defaultTimings)),
    async close() {
      await publisher.stop();
      const keys = await redis.keys(`${prefix}[-:]*`);
      if (keys.length > 0) await redis.del(...keys);
      await redis.quit();
    },
  };
}

/** One XADD for every message; read in groups of 32, each acknowledged and removed before the next is looked at. */
class RedisByHand {
  constructor(redis, options) {
    this.redis = redis;
    this.options = options;
  }

  send({ topic, key, value, headers }) {
    const fields = ['key', key, 'value', JSON.stringify(value), ...Object.entries(headers).flat()];
    return this.redis.xadd(streamFor(this.options, topic, key), '*', ...fields);
  }

  async consume(onMessage) {
    const streams = streamsOf(this.options, 'document-index-build');
    const reader = this.redis.duplicate();
    for (const stream of streams)
      await reader.xgroup('CREATE', stream, 'group', '0', 'MKSTREAM').catch(() => undefined);
    let stopped = false;
    const read = async () => {
      const behind = streams.map(() => '>');
      while (!stopped) {
        const options = ['GROUP', 'group', 'reader', 'COUNT', 32, 'BLOCK', 200];
        const answer = (await reader.xreadgroup(...options, 'STREAMS', ...streams, ...behind)) ?? [];
        for (const [stream, entries] of answer) {
          for (const [id] of entries) {
            onMessage();
            await this.redis.multi().xack(stream, 'group', id).xdel(stream, id).exec();
          }
        }
      }
    };
    const reading = read();
    return async () => {
      stopped = true;
      await reading;
      reader.disconnect();
    };
  }
}
