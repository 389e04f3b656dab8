/** Starts and stops all that talks to the queues, reports, and does nothing to end. */
import { PostgresQueueConsumers } from '../../adapters/postgres-queue/postgres-queue-consumers.js';
import { PostgresQueuePublisher } from '../../adapters/postgres-queue/postgres-queue-publisher.js';
import type { DatabaseConnection } from '../../database/connection.js';
import { createDataSource } from '../../database/data-source.js';
import { Database } from '../../database/database.js';
import { silentLogger } from '../../logging/logger.js';
import { ConsumerGroup } from '../../messaging/topic.js';

const connection = JSON.parse(process.argv[2] ?? '') as DatabaseConnection;
const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000, idleInTransactionMs: 30_000 };
const source = await createDataSource(connection, limits, silentLogger).initialize();
const database = new Database(source, connection);
const publisher = new PostgresQueuePublisher(database, { prefix: 'test-process' }, silentLogger);
const consumer = new PostgresQueueConsumers(database, { prefix: 'test-process' }, silentLogger).create(
  ConsumerGroup.Index,
);
await publisher.start();
await consumer.start(() => Promise.resolve({ type: 'done' }));
await Promise.all([publisher.stop(), consumer.stop()]);
await source.destroy();
process.send?.('stopped');
process.disconnect();
