/** A relay whose broker stores a message and then never answers: it reports the key, and waits to be killed. */
import type { DatabaseConnection } from '../../database/connection.js';
import { createDataSource } from '../../database/data-source.js';
import { Database } from '../../database/database.js';
import { silentLogger } from '../../logging/logger.js';
import { OutboxBench, RecordingPublisher } from '../outbox-bench.js';

const connection = JSON.parse(process.argv[2] ?? '') as DatabaseConnection;
const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000, idleInTransactionMs: 30_000 };
const source = await createDataSource(connection, limits, silentLogger).initialize();
const publisher = new RecordingPublisher();
publisher.onPublish = ([first]) => {
  process.send?.(first?.key);
  return new Promise(() => undefined);
};
await new OutboxBench(new Database(source, connection)).relay(publisher).runOnce();
