import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MessageConsumer, MessageConsumers } from '../../messaging/message-consumer.js';
import { withDeadline } from '../../messaging/deadline.js';
import { brokerName, topics, type ConsumerGroup, type Topic } from '../../messaging/topic.js';
import { asUnavailable } from './as-unavailable.js';
import { PostgresQueueConsumer } from './postgres-queue-consumer.js';
import { QueueJobs } from './queue-jobs.js';
import type { PostgresQueueOptions } from './queue-options.js';

/** Consumers that read from queues in the database. */
export class PostgresQueueConsumers implements MessageConsumers {
  constructor(
    private readonly database: Database,
    private readonly options: PostgresQueueOptions,
    private readonly logger: Logger,
  ) {}

  create(group: ConsumerGroup): MessageConsumer {
    const logger = this.logger.child({ part: 'postgres-queue-consumer', group });
    return new PostgresQueueConsumer(this.database, this.options, group, logger);
  }

  async lag(deadlineMs: number): Promise<ReadonlyMap<Topic, number>> {
    const queueOf = (topic: Topic): string => brokerName(this.options.prefix, topic);
    const jobs = new QueueJobs(this.database);
    try {
      const counts = await withDeadline(deadlineMs, () => jobs.count(topics.map(queueOf)));
      return new Map(topics.map((topic) => [topic, counts.get(queueOf(topic)) ?? 0]));
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}
