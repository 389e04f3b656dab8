/** The data source for TypeORM's command line, on the database that the service itself would use. */
import { EmbeddedDatabase } from './src/adapters/pglite/embedded-database.js';
import { loadConfig, type AppConfig } from './src/config/app-config.js';
import { postgresConnection, type DatabaseConnection } from './src/database/connection.js';
import { createDataSource, sessionLimits } from './src/database/data-source.js';
import { createJsonLogger } from './src/logging/logger.js';

const config = loadConfig(process.env);
const logger = createJsonLogger(config.process.logLevel);

function connectionOf({ database, process: { dataDir } }: AppConfig): Promise<DatabaseConnection> {
  if (database.url) return Promise.resolve(postgresConnection(database.url, 2));
  const onLost = (error: Error): void => {
    throw error;
  };
  // Its process ends with this one.
  return new EmbeddedDatabase({ dataDir, idleMs: 600_000, onLost }, logger).start();
}

const source = createDataSource(await connectionOf(config), sessionLimits(config), logger);

// The command line reports through the library's own logger.
export default source.setOptions({ logger: 'advanced-console', logging: ['schema', 'migration', 'error', 'warn'] });
