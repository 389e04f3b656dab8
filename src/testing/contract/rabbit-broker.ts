import { randomBytes } from 'node:crypto';
import type { Channel, ConsumeMessage } from 'amqplib';
import { createQueues } from '../../adapters/rabbitmq/create-queues.js';
import { RabbitConnection } from '../../adapters/rabbitmq/rabbit-connection.js';
import { RabbitConsumers } from '../../adapters/rabbitmq/rabbit-consumers.js';
import { keyHeader } from '../../adapters/rabbitmq/rabbit-message.js';
import type { ConsumerTimings, RabbitOptions } from '../../adapters/rabbitmq/rabbit-options.js';
import { RabbitPublisher } from '../../adapters/rabbitmq/rabbit-publisher.js';
import { allQueues, ask, queueFor, queuesOf } from '../../adapters/rabbitmq/rabbit-queues.js';
import { silentLogger } from '../../logging/logger.js';
import { deadLetters, DeadLetters, type ConsumerGroup, type Destination, type Topic } from '../../messaging/topic.js';
import { startConsumerProcess } from './consumer-process.js';
import type { ConsumerProcess, ProcessBehaviour, StoredMessage } from './messaging-broker.js';
import type { StruckBroker } from './outage-bench.js';

/** Server of the tests. */
export function testAmqpUrl(): string {
  return process.env.AMQP_URL || 'amqp://guest:guest@127.0.0.1:5672';
}

/** RabbitMQ with queues of a new prefix, which go when it is closed. */
export class RabbitTestBroker implements StruckBroker {
  readonly publisher: RabbitPublisher;
  readonly consumers: RabbitConsumers;
  private readonly processes: ConsumerProcess[] = [];

  private constructor(
    readonly options: RabbitOptions,
    timings: Partial<ConsumerTimings>,
  ) {
    this.publisher = new RabbitPublisher(options, silentLogger);
    this.consumers = new RabbitConsumers(options, silentLogger, timings);
  }

  /** @param timings of the consumers, where they are not to be as they come */
  static async open(
    url: string = testAmqpUrl(),
    change: Partial<RabbitOptions> = {},
    timings: Partial<ConsumerTimings> = {},
  ): Promise<RabbitTestBroker> {
    const prefix = `test-${randomBytes(6).toString('hex')}`;
    const fixed = { url, prefix, partitions: 3, queueType: 'quorum', declares: false, sendDeadlineMs: 3_000 } as const;
    const options = { ...fixed, ...change };
    const broker = new RabbitTestBroker(options, timings);
    await createQueues(options).catch((cause: unknown) => {
      throw new Error('these tests need RabbitMQ at 127.0.0.1:5672; AMQP_URL names another', { cause });
    });
    await broker.publisher.start();
    return broker;
  }

  createPublisher(sendDeadlineMs: number): RabbitPublisher {
    return new RabbitPublisher({ ...this.options, sendDeadlineMs }, silentLogger);
  }

  stored(topic: Destination): Promise<number> {
    return this.ask(async (channel) => {
      let sum = 0;
      for (const queue of queuesOf(this.options, topic)) sum += (await channel.checkQueue(queue)).messageCount;
      return sum;
    });
  }

  async sendForeign(topic: Topic, { key, value, headers }: StoredMessage): Promise<void> {
    await this.sendRaw(queueFor(this.options, topic, key ?? ''), value ?? Buffer.alloc(0), {
      ...headers,
      ...(key === null ? {} : { [keyHeader]: key }),
    });
  }

  /** With headers of any kind. */
  async sendRaw(queue: string, value: Buffer, headers: Record<string, unknown>): Promise<void> {
    await this.overConnection(async (connection) => {
      const channel = await connection.openConfirmChannel(() => undefined);
      channel.sendToQueue(queue, value, { headers, persistent: true });
      await channel.waitForConfirms();
    });
  }

  async deadLetters(kind?: DeadLetters): Promise<StoredMessage[]> {
    return (await Promise.all((kind ? [kind] : deadLetters).map((each) => this.readAll(each)))).flat();
  }

  /** All messages that nobody has in hand, queue by queue. They stay. */
  readAll(topic: Destination): Promise<StoredMessage[]> {
    return this.ask(async (channel) => {
      const found: StoredMessage[] = [];
      for (const queue of queuesOf(this.options, topic)) {
        const { messageCount } = await channel.checkQueue(queue);
        found.push(...(await firstOf(channel, queue, messageCount)));
      }
      return found;
    });
  }

  async breakDeadLetters(): Promise<() => Promise<void>> {
    await this.deleteQueues(queuesOf(this.options, DeadLetters.Index));
    return () => this.createQueues();
  }

  async createQueues(): Promise<void> {
    await createQueues(this.options);
  }

  deleteQueues(queues: readonly string[]): Promise<void> {
    return this.ask(async (channel) => {
      for (const queue of queues) await channel.deleteQueue(queue);
    });
  }

  startProcess(group: ConsumerGroup, behaviour: ProcessBehaviour): Promise<ConsumerProcess> {
    const child = startConsumerProcess({ group, behaviour, broker: { type: 'rabbitmq', options: this.options } });
    this.processes.push(child);
    return Promise.resolve(child);
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((child) => child.kill()));
    await this.publisher.stop();
    await this.deleteQueues(allQueues(this.options));
  }

  private ask<T>(question: (channel: Channel) => Promise<T>): Promise<T> {
    return this.overConnection((connection) => ask(connection, question));
  }

  private async overConnection<T>(work: (connection: RabbitConnection) => Promise<T>): Promise<T> {
    const connection = await RabbitConnection.open(this.options.url, 'test', 10_000);
    try {
      return await work(connection);
    } finally {
      await connection.close(5_000);
    }
  }
}

/** So many messages of a queue; they go back to it when the channel ends. */
async function firstOf(channel: Channel, queue: string, count: number): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  if (count === 0) return found;
  await new Promise<void>((resolve, reject) => {
    const receive = (message: ConsumeMessage | null): void => {
      if (!message) return reject(new Error(`the queue ${queue} is gone`));
      const { [keyHeader]: key, ...headers } = (message.properties.headers ?? {}) as Record<string, string>;
      found.push({ key: key ?? null, value: message.content, headers });
      if (found.length === count) resolve();
    };
    channel.consume(queue, receive).catch(reject);
  });
  return found;
}
