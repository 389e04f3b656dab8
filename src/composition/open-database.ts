import { EmbeddedDatabase } from '../adapters/pglite/embedded-database.js';
import { EmbeddedUpkeep } from '../adapters/pglite/embedded-upkeep.js';
import type { AppConfig } from '../config/app-config.js';
import { postgresConnection, type DatabaseConnection } from '../database/connection.js';
import { createDataSource, sessionLimits } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { migrate } from '../database/migrate.js';
import type { Lifecycle } from './lifecycle.js';

/** Connects to the configured database, or starts the embedded one, and brings its tables up to date. */
export async function openDatabase(config: AppConfig, lifecycle: Lifecycle): Promise<Database> {
  const logger = lifecycle.logger.child({ part: 'database' });
  const { url, poolSize } = config.database;
  const connection = url ? postgresConnection(url, poolSize) : await startEmbedded(config, lifecycle);
  await migrate(connection, logger);
  const source = createDataSource(connection, sessionLimits(config), logger);
  lifecycle.add('database', async () => {
    if (source.isInitialized) await source.destroy();
  });
  await source.initialize();
  const database = new Database(source, connection);
  lifecycle.watch('database', async () => {
    const startedAt = performance.now();
    await database.query('select 1');
    return { up: true, lastProgressAgeMs: Math.round(performance.now() - startedAt) };
  });
  if (connection.kind === 'pglite') {
    const upkeep = new EmbeddedUpkeep(database, logger);
    lifecycle.add('embedded-upkeep', () => upkeep.stop());
    upkeep.start();
  }
  return database;
}

async function startEmbedded(config: AppConfig, lifecycle: Lifecycle): Promise<DatabaseConnection> {
  const { idleInTransactionMs, statementTimeoutMs } = sessionLimits(config);
  const embedded = new EmbeddedDatabase(
    {
      dataDir: config.process.dataDir,
      idleMs: Math.max(idleInTransactionMs, statementTimeoutMs),
      onLost: lifecycle.onLost,
    },
    lifecycle.logger.child({ part: 'embedded-database' }),
  );
  const connection = await embedded.start();
  lifecycle.add('embedded-database', () => embedded.stop());
  lifecycle.watch('embedded-database', () => ({ up: embedded.ready }));
  return connection;
}
