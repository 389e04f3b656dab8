import { randomBytes } from 'node:crypto';
import type PgBoss from 'pg-boss';
import { bossOn, queueSchema } from '../../adapters/postgres-queue/boss-on.js';
import { ensureQueues } from '../../adapters/postgres-queue/ensure-queues.js';
import { jobData, jobDataOf, valueOf } from '../../adapters/postgres-queue/job-message.js';
import { OrderedUuids } from '../../adapters/postgres-queue/ordered-uuid.js';
import { PostgresQueueConsumers } from '../../adapters/postgres-queue/postgres-queue-consumers.js';
import { PostgresQueuePublisher } from '../../adapters/postgres-queue/postgres-queue-publisher.js';
import type { PostgresQueueOptions } from '../../adapters/postgres-queue/queue-options.js';
import { silentLogger } from '../../logging/logger.js';
import {
  brokerName,
  deadLetters,
  DeadLetters,
  type ConsumerGroup,
  type Destination,
  type Topic,
} from '../../messaging/topic.js';
import type { TestDatabase } from '../test-database.js';
import { startConsumerProcess } from './consumer-process.js';
import type { ConsumerProcess, MessagingBroker, ProcessBehaviour, StoredMessage } from './messaging-broker.js';

/** Queues under a new prefix in a test database. */
export class PostgresQueueTestBroker implements MessagingBroker {
  readonly publisher: PostgresQueuePublisher;
  readonly consumers: PostgresQueueConsumers;
  readonly options: Required<PostgresQueueOptions>;
  private readonly boss: PgBoss;
  private readonly ids = new OrderedUuids(() => Date.now());
  private readonly processes: ConsumerProcess[] = [];

  private constructor(private readonly test: TestDatabase) {
    this.options = { prefix: `test-${randomBytes(6).toString('hex')}`, holdSeconds: 2 };
    this.publisher = new PostgresQueuePublisher(test.database, this.options, silentLogger);
    this.consumers = new PostgresQueueConsumers(test.database, this.options, silentLogger);
    this.boss = bossOn(test.database);
  }

  static async open(test: TestDatabase): Promise<PostgresQueueTestBroker> {
    const broker = new PostgresQueueTestBroker(test);
    await broker.publisher.start();
    return broker;
  }

  async stored(topic: Topic): Promise<number> {
    return (await this.jobsOf(topic)).length;
  }

  async sendForeign(topic: Topic, { key, value, headers }: StoredMessage): Promise<void> {
    const data = jobDataOf(value, headers);
    const order = { id: this.ids.next(), ...(key === null ? {} : { singletonKey: key }) };
    await this.boss.send(brokerName(this.options.prefix, topic), data, order);
  }

  async deadLetters(kind?: DeadLetters): Promise<StoredMessage[]> {
    const jobs = await Promise.all((kind ? [kind] : deadLetters).map((each) => this.jobsOf(each)));
    return jobs.flat().map(({ key, data }) => {
      const letter = jobData(data);
      return { key, value: valueOf(letter), headers: letter.headers };
    });
  }

  async breakDeadLetters(): Promise<() => Promise<void>> {
    await this.boss.deleteQueue(brokerName(this.options.prefix, DeadLetters.Index));
    return () => ensureQueues(this.test.database, this.options);
  }

  startProcess(group: ConsumerGroup, behaviour: ProcessBehaviour): Promise<ConsumerProcess> {
    const { connection } = this.test;
    const child = startConsumerProcess({
      group,
      behaviour,
      broker: { type: 'postgres', connection, options: this.options },
    });
    this.processes.push(child);
    return Promise.resolve(child);
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((child) => child.kill()));
    await this.publisher.stop();
  }

  private jobsOf(topic: Destination): Promise<{ key: string | null; data: unknown }[]> {
    return this.test.database.query(
      `select singleton_key as key, data from ${queueSchema}.job where name = $1 order by created_on, id`,
      [brokerName(this.options.prefix, topic)],
    );
  }
}
