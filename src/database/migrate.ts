import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { StartRefusal } from '../domain/start-refusal.js';
import type { Logger } from '../logging/logger.js';
import { describeAddress, type DatabaseConnection } from './connection.js';
import { createDataSource } from './data-source.js';
import { explainStartFailure } from './start-failure.js';

const oldestServer = { number: 150_000, name: '15' };

/** Any constant that no other program on the database uses. */
const migrationLock = 7_301_846_115;

/** How long one process waits for another that is migrating. */
const turnMs = 600_000;
/** How long a change of a table waits for those who use it; waiting longer would hold everybody else up behind it. */
const tableLockMs = 5_000;
const tableLockTries = 6;

/**
 * Brings the schema up to date; of several processes that start at once, one does it and the others wait for it.
 * Each migration is one transaction, so that a start that is killed half way can be repeated.
 *
 * @returns names of the migrations that were run now.
 * @throws StartRefusal where the database cannot be used, with the reason.
 */
export async function migrate(connection: DatabaseConnection, logger: Logger): Promise<readonly string[]> {
  const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 0, idleInTransactionMs: 0 };
  const source = createDataSource({ ...connection, poolSize: 1 }, limits, logger);
  try {
    await source.initialize();
    await refuseUnfit(source, connection);
    const names = await inTurn(source);
    if (names.length > 0) logger.info('the database schema was brought up to date', { migrations: names });
    return names;
  } catch (error) {
    throw explainStartFailure(error, connection.address);
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

interface ServerFacts {
  /** As `server_version_num`: 150004 is 15.4. */
  readonly number: number;
  readonly name: string;
  /** Whether the extension can be created there. */
  readonly vector: boolean;
}

/** Why a server cannot be used, or undefined. */
export function unfitness(server: ServerFacts, it: string): string | undefined {
  if (server.number < oldestServer.number) {
    return `PostgreSQL ${oldestServer.name} or later is needed; ${it} is ${server.name}.`;
  }
  return server.vector ? undefined : `The server of ${it} lacks the extension pgvector: install it there.`;
}

async function refuseUnfit(source: DataSource, connection: DatabaseConnection): Promise<void> {
  const [server] = await source.query<ServerFacts[]>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
            exists (select from pg_available_extensions where name = 'vector') as vector`,
  );
  if (!server) throw new Error('the server did not tell its version');
  const reason = unfitness(server, describeAddress(connection.address));
  if (reason) throw new StartRefusal(reason);
}

/** The lock and the settings end with the session; only where that lives on must they be taken back. */
async function inTurn(source: DataSource): Promise<readonly string[]> {
  const runner = source.createQueryRunner();
  try {
    await runner.query(`set lock_timeout = ${turnMs}`);
    await runner.query('select pg_advisory_lock($1)', [migrationLock]);
    await runner.query(`set lock_timeout = ${tableLockMs}`);
    const names = await runPending(source, runner);
    await runner.query('select pg_advisory_unlock($1)', [migrationLock]);
    await runner.query('reset lock_timeout');
    return names;
  } finally {
    await runner.release();
  }
}

async function runPending(source: DataSource, runner: QueryRunner): Promise<readonly string[]> {
  const executor = new MigrationExecutor(source, runner);
  executor.transaction = 'each';
  const names: string[] = [];
  for (let tries = 1; ; tries += 1) {
    try {
      names.push(...(await executor.executePendingMigrations()).map((migration) => migration.name));
      return names;
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55P03' || tries === tableLockTries) throw error;
    }
  }
}
