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
  deadLetterTopic,
  type ConsumerGroup,
  type Destination,
  type Topic,
} from '../../messaging/topic.js';
import { startConsumerProcess } from './consumer-process.js';
import type { ConsumerProcess, MessagingBroker, ProcessBehaviour, StoredMessage } from './messaging-broker.js';

/** Redis with streams of a new prefix, which go when it is closed. */
export class StreamsTestBroker implements MessagingBroker {
  readonly publisher: StreamsPublisher;
  readonly consumers: StreamsConsumers;
  private readonly processes: ConsumerProcess[] = [];

  private constructor(
    readonly options: StreamOptions,
    private readonly connection: StreamConnection,
  ) {
    this.publisher = new StreamsPublisher(options, silentLogger);
    this.consumers = new StreamsConsumers(options, silentLogger, defaultTimings);
  }

  static async open(url: string): Promise<StreamsTestBroker> {
    const prefix = `test-${randomBytes(6).toString('hex')}`;
    const options = { url, prefix, partitions: 3, deadLettersKept: 1_000, sendDeadlineMs: 3_000 };
    const broker = new StreamsTestBroker(options, await StreamConnection.open(url, 'test', 10_000));
    await broker.publisher.start();
    return broker;
  }

  async stored(topic: Destination): Promise<number> {
    const lengths = await Promise.all(
      streamsOf(this.options, topic).map((stream) => this.connection.redis.xlen(stream)),
    );
    return lengths.reduce((sum, length) => sum + length, 0);
  }

  async sendForeign(topic: Topic, { key, value, headers }: StoredMessage): Promise<void> {
    await this.connection.redis.xadd(streamFor(this.options, topic, key ?? ''), '*', ...fieldsOf(key, value, headers));
  }

  deadLetters(): Promise<StoredMessage[]> {
    return this.readAll(deadLetterTopic);
  }

  /** All messages of a topic, stream by stream. They stay. */
  async readAll(topic: Destination): Promise<StoredMessage[]> {
    const found: StoredMessage[] = [];
    for (const stream of streamsOf(this.options, topic)) {
      for (const [id, fields] of await this.connection.redis.xrangeBuffer(stream, '-', '+')) {
        found.push(incomingMessage({ stream, id: String(id), fields }, this.options.prefix));
      }
    }
    return found;
  }

  async breakDeadLetters(): Promise<() => Promise<void>> {
    const { redis } = this.connection;
    const stream = brokerName(this.options.prefix, deadLetterTopic);
    await redis.set(stream, 'something else');
    return async () => void (await redis.del(stream));
  }

  startProcess(group: ConsumerGroup, behaviour: ProcessBehaviour): Promise<ConsumerProcess> {
    const child = startConsumerProcess({ group, behaviour, broker: { type: 'redis', options: this.options } });
    this.processes.push(child);
    return Promise.resolve(child);
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((child) => child.kill()));
    await this.publisher.stop();
    const { redis } = this.connection;
    const keys = await redis.keys(`${this.options.prefix}[-:]*`);
    if (keys.length > 0) await redis.del(...keys);
    this.connection.cut();
  }
}
