import { randomBytes } from 'node:crypto';
import { StreamConnection } from '../../adapters/redis/streams/stream-connection.js';
import { streamFor, streamsOf } from '../../adapters/redis/streams/stream-names.js';
import { defaultTimings, type StreamOptions } from '../../adapters/redis/streams/stream-options.js';
import { fieldsOf, incomingMessage } from '../../adapters/redis/streams/stream-record.js';
import { StreamsConsumers } from '../../adapters/redis/streams/streams-consumers.js';
import { StreamsPublisher } from '../../adapters/redis/streams/streams-publisher.js';
import { silentLogger } from '../../logging/logger.js';
import {
  brokerName,
  deadLetters,
  DeadLetters,
  type ConsumerGroup,
  type Destination,
  type Topic,
} from '../../messaging/topic.js';
import { startConsumerProcess } from './consumer-process.js';
import type { ConsumerProcess, ProcessBehaviour, StoredMessage } from './messaging-broker.js';
import type { StruckBroker } from './outage-bench.js';

/** Redis with streams of a new prefix, which go when it is closed. */
export class StreamsTestBroker implements StruckBroker {
  readonly publisher: StreamsPublisher;
  readonly consumers: StreamsConsumers;
  private readonly processes: ConsumerProcess[] = [];

  private constructor(readonly options: StreamOptions) {
    this.publisher = new StreamsPublisher(options, silentLogger);
    this.consumers = new StreamsConsumers(options, silentLogger, defaultTimings);
  }

  static async open(
    url: string,
    prefix: string = `test-${randomBytes(6).toString('hex')}`,
  ): Promise<StreamsTestBroker> {
    const options = { url, prefix, partitions: 3, deadLettersKept: 1_000, sendDeadlineMs: 3_000 };
    const broker = new StreamsTestBroker(options);
    await broker.publisher.start();
    return broker;
  }

  createPublisher(sendDeadlineMs: number): StreamsPublisher {
    return new StreamsPublisher({ ...this.options, sendDeadlineMs }, silentLogger);
  }

  stored(topic: Destination): Promise<number> {
    return this.ask(async (redis) => {
      const lengths = await Promise.all(streamsOf(this.options, topic).map((stream) => redis.xlen(stream)));
      return lengths.reduce((sum, length) => sum + length, 0);
    });
  }

  /** Messages that were ever sent to a topic. */
  sent(topic: Topic): Promise<number> {
    return this.ask(async (redis) => {
      let sum = 0;
      for (const stream of streamsOf(this.options, topic)) {
        if ((await redis.exists(stream)) === 0) continue;
        const facts = (await redis.xinfo('STREAM', stream)) as unknown[];
        sum += Number(facts[facts.indexOf('entries-added') + 1]);
      }
      return sum;
    });
  }

  async sendForeign(topic: Topic, { key, value, headers }: StoredMessage): Promise<void> {
    const stream = streamFor(this.options, topic, key ?? '');
    await this.ask((redis) => redis.xadd(stream, '*', ...fieldsOf(key, value, headers)));
  }

  async deadLetters(kind?: DeadLetters): Promise<StoredMessage[]> {
    return (await Promise.all((kind ? [kind] : deadLetters).map((each) => this.readAll(each)))).flat();
  }

  /** All messages of a topic, stream by stream. They stay. */
  readAll(topic: Destination): Promise<StoredMessage[]> {
    return this.ask(async (redis) => {
      const found: StoredMessage[] = [];
      for (const stream of streamsOf(this.options, topic)) {
        for (const [, fields] of await redis.xrangeBuffer(stream, '-', '+')) {
          found.push(incomingMessage({ stream, fields }, this.options.prefix));
        }
      }
      return found;
    });
  }

  async breakDeadLetters(): Promise<() => Promise<void>> {
    const stream = brokerName(this.options.prefix, DeadLetters.Index);
    await this.ask((redis) => redis.set(stream, 'something else'));
    return async () => void (await this.ask((redis) => redis.del(stream)));
  }

  startProcess(group: ConsumerGroup, behaviour: ProcessBehaviour): Promise<ConsumerProcess> {
    const child = startConsumerProcess({ group, behaviour, broker: { type: 'redis', options: this.options } });
    this.processes.push(child);
    return Promise.resolve(child);
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((child) => child.kill()));
    await this.publisher.stop();
    await this.ask(async (redis) => {
      const keys = await redis.keys(`${this.options.prefix}[-:]*`);
      if (keys.length > 0) await redis.del(...keys);
    });
  }

  /** Looks past the service, over a connection that lives no longer: the server may be killed in between. */
  async ask<T>(question: (redis: StreamConnection['redis']) => Promise<T>): Promise<T> {
    const connection = await StreamConnection.open(this.options.url, 'test', 10_000);
    try {
      return await question(connection.redis);
    } finally {
      connection.cut();
    }
  }
}
