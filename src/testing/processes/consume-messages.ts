/** A consumer that tells its parent the key of each message. */
import { KafkaConsumers } from '../../adapters/kafka/kafka-consumers.js';
import type { KafkaOptions } from '../../adapters/kafka/kafka-options.js';
import { PostgresQueueConsumers } from '../../adapters/postgres-queue/postgres-queue-consumers.js';
import type { PostgresQueueOptions } from '../../adapters/postgres-queue/queue-options.js';
import type { StreamOptions } from '../../adapters/redis/streams/stream-options.js';
import { StreamsConsumers } from '../../adapters/redis/streams/streams-consumers.js';
import { RabbitConsumers } from '../../adapters/rabbitmq/rabbit-consumers.js';
import type { RabbitOptions } from '../../adapters/rabbitmq/rabbit-options.js';
import type { DatabaseConnection } from '../../database/connection.js';
import { createDataSource } from '../../database/data-source.js';
import { Database } from '../../database/database.js';
import { silentLogger } from '../../logging/logger.js';
import type { MessageConsumers } from '../../messaging/message-consumer.js';
import type { ConsumerGroup } from '../../messaging/topic.js';
import type { ProcessBehaviour } from '../contract/messaging-broker.js';

/** What the process is told to be, as JSON in its first argument. */
export interface ConsumerOrder {
  readonly group: ConsumerGroup;
  readonly behaviour: ProcessBehaviour;
  readonly broker:
    | { readonly type: 'kafka'; readonly options: KafkaOptions & { readonly sessionMs: number } }
    | { readonly type: 'redis'; readonly options: StreamOptions }
    | { readonly type: 'rabbitmq'; readonly options: RabbitOptions }
    | { readonly type: 'postgres'; readonly options: PostgresQueueOptions; readonly connection: DatabaseConnection };
}

const { group, behaviour, broker } = JSON.parse(process.argv[2] ?? '') as ConsumerOrder;

async function open(): Promise<MessageConsumers> {
  if (broker.type === 'kafka') return new KafkaConsumers(broker.options, silentLogger);
  if (broker.type === 'redis') return new StreamsConsumers(broker.options, silentLogger);
  if (broker.type === 'rabbitmq') return new RabbitConsumers(broker.options, silentLogger);
  const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000, idleInTransactionMs: 30_000 };
  const source = await createDataSource(broker.connection, limits, silentLogger).initialize();
  return new PostgresQueueConsumers(new Database(source, broker.connection), broker.options, silentLogger);
}

const consumer = (await open()).create(group);
await consumer.start(({ key }) => {
  process.send?.(key ?? '');
  return behaviour === 'accept' ? Promise.resolve({ type: 'done' }) : new Promise(() => undefined);
});
