import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MessageConsumer, MessageConsumers } from '../../messaging/message-consumer.js';
import type { ConsumerGroup } from '../../messaging/topic.js';
import { PostgresQueueConsumer } from './postgres-queue-consumer.js';
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
}
