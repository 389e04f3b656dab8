import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Kafka, logLevel, Partitioners, type Admin, type Consumer } from 'kafkajs';
import { KafkaConsumers } from '../../adapters/kafka/kafka-consumers.js';
import type { KafkaOptions } from '../../adapters/kafka/kafka-options.js';
import { KafkaPublisher } from '../../adapters/kafka/kafka-publisher.js';
import { createTopics, topicNames } from '../../adapters/kafka/kafka-topics.js';
import { silentLogger } from '../../logging/logger.js';
import { laneGroupsOf, type LaneGroup } from '../../messaging/broker/lane-groups.js';
import {
  brokerName,
  consumerGroups,
  deadLetters,
  DeadLetters,
  type ConsumerGroup,
  type Destination,
  type Topic,
} from '../../messaging/topic.js';
import { startConsumerProcess } from './consumer-process.js';
import type { ConsumerProcess, ProcessBehaviour, StoredMessage } from './messaging-broker.js';
import type { StruckBroker } from './outage-bench.js';

/** The shortest session that a broker takes as it comes. */
export const testSessionMs = 6_000;

/** Servers of the tests. */
export function testBrokers(): string[] {
  return (process.env.KAFKA_BROKERS || '127.0.0.1:19092').split(',');
}

/** Kafka with topics of a new prefix, which go when it is closed. */
export class KafkaTestBroker implements StruckBroker {
  readonly publisher: KafkaPublisher;
  readonly consumers: KafkaConsumers;
  private readonly processes: ConsumerProcess[] = [];

  private constructor(
    readonly options: KafkaOptions & { readonly sessionMs: number },
    private readonly kafka: Kafka,
    private readonly admin: Admin,
  ) {
    this.publisher = new KafkaPublisher(options, silentLogger);
    this.consumers = new KafkaConsumers(options, silentLogger);
  }

  static async open(brokers: string[] = testBrokers()): Promise<KafkaTestBroker> {
    const prefix = `test-${randomBytes(6).toString('hex')}`;
    const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 3 } });
    const admin = kafka.admin();
    await admin.connect().catch((cause: unknown) => {
      throw new Error(`these tests need Kafka at ${brokers.join(',')}; KAFKA_BROKERS names another`, { cause });
    });
    const broker = new KafkaTestBroker(
      { brokers, prefix, sendDeadlineMs: 3_000, sessionMs: testSessionMs },
      kafka,
      admin,
    );
    await createTopics(broker.options, { partitions: 3, replication: 1 }, silentLogger);
    await broker.publisher.start();
    return broker;
  }

  createPublisher(sendDeadlineMs: number): KafkaPublisher {
    return new KafkaPublisher({ ...this.options, sendDeadlineMs }, silentLogger);
  }

  async stored(topic: Topic): Promise<number> {
    const offsets = await this.admin.fetchTopicOffsets(this.nameOf(topic));
    return offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  }

  /** How many messages the groups have yet to acknowledge. */
  async unread(): Promise<number> {
    let sum = 0;
    for (const group of consumerGroups) {
      for (const lane of laneGroupsOf(this.options.prefix, group)) sum += await this.unreadOf(lane);
    }
    return sum;
  }

  private async unreadOf({ id: groupId, topic }: LaneGroup): Promise<number> {
    const name = this.nameOf(topic);
    const ends = await this.admin.fetchTopicOffsets(name);
    const [read] = await this.admin.fetchOffsets({ groupId, topics: [name] });
    return ends.reduce((sum, { partition, high }) => {
      // Where a group has read nothing yet, it says -1.
      const offset = Number(read?.partitions.find((each) => each.partition === partition)?.offset ?? -1);
      return sum + Number(high) - Math.max(0, offset);
    }, 0);
  }

  async sendForeign(topic: Topic, { key, value, headers }: StoredMessage): Promise<void> {
    const producer = this.kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    await producer.send({ topic: this.nameOf(topic), messages: [{ key, value, headers: { ...headers } }] });
    await producer.disconnect();
  }

  async deadLetters(kind?: DeadLetters): Promise<StoredMessage[]> {
    const found: StoredMessage[] = [];
    for (const each of kind ? [kind] : deadLetters) found.push(...(await this.readAll(each)));
    return found;
  }

  /** All messages of a topic, in the order of their partitions. */
  async readAll(topic: Destination): Promise<StoredMessage[]> {
    const name = this.nameOf(topic);
    const offsets = await this.admin.fetchTopicOffsets(name);
    const count = offsets.reduce((sum, { high }) => sum + Number(high), 0);
    const reader = this.kafka.consumer({ groupId: `${this.options.prefix}-reader-${randomBytes(4).toString('hex')}` });
    try {
      return await collect(reader, name, count);
    } finally {
      await reader.disconnect();
    }
  }

  async breakDeadLetters(): Promise<() => Promise<void>> {
    await this.deleteTopic(DeadLetters.Index);
    return async () => {
      await createTopics(this.options, { partitions: 3, replication: 1 }, silentLogger);
    };
  }

  /** Resolves when the broker has forgotten it, which is later than when it agreed to. */
  async deleteTopic(topic: Destination): Promise<string> {
    const name = this.nameOf(topic);
    await this.admin.deleteTopics({ topics: [name] });
    while ((await this.admin.listTopics()).includes(name)) await pause(20);
    return name;
  }

  startProcess(group: ConsumerGroup, behaviour: ProcessBehaviour): Promise<ConsumerProcess> {
    const child = startConsumerProcess({ group, behaviour, broker: { type: 'kafka', options: this.options } });
    this.processes.push(child);
    return Promise.resolve(child);
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((child) => child.kill()));
    await this.publisher.stop();
    const present = await this.admin.listTopics();
    await this.admin.deleteTopics({ topics: topicNames(this.options.prefix).filter((name) => present.includes(name)) });
    const { groups } = await this.admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(this.options.prefix));
    // A group with a member that was just killed cannot go yet; the broker drops it by itself later.
    if (own.length > 0) await this.admin.deleteGroups(own).catch(() => undefined);
    await this.admin.disconnect();
  }

  private nameOf(topic: Destination): string {
    return brokerName(this.options.prefix, topic);
  }
}

async function collect(reader: Consumer, topic: string, count: number): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  if (count === 0) return messages;
  await reader.connect();
  await reader.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    const eachMessage = ({ message }: { message: { key: Buffer | null; value: Buffer | null; headers?: object } }) => {
      const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]);
      const stored = { key: message.key?.toString() ?? null, value: message.value };
      messages.push({ ...stored, headers: Object.fromEntries(headers) as Record<string, string> });
      if (messages.length >= count) resolve();
      return Promise.resolve();
    };
    reader.run({ eachMessage }).catch(reject);
  });
  return messages;
}
