import type { DataSource } from 'typeorm';
import type { DatabaseConnection } from '../database/connection.js';
import { createDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { silentLogger } from '../logging/logger.js';
import { openPGliteCopy } from './pglite-copy.js';
import { openPostgresClone } from './postgres-clone.js';

export type TestDatabaseKind = DatabaseConnection['kind'];

/** A migrated, empty database of its own for one test file. */
export interface TestDatabase {
  readonly database: Database;
  readonly dataSource: DataSource;
  readonly kind: TestDatabaseKind;
  /** For tests that open further pools on the same database; on PGlite there is only one session. */
  readonly connection: DatabaseConnection;
  close(): Promise<void>;
}

/** A database that exists for a test, before anything is connected to it. */
export interface TemporaryDatabase {
  readonly connection: DatabaseConnection;
  remove(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Where; by default what the environment names in TEST_DATABASE, else the embedded database. */
  readonly on?: TestDatabaseKind;
}

/**
 * PostgreSQL: a clone of a migrated template, on the server that TEST_DATABASE_URL names. PGlite: a child process
 * on a copy of a migrated data folder.
 */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const kind = options.on ?? defaultKind();
  const temporary = await openTemporary(kind);
  return connectTo(temporary.connection, () => temporary.remove());
}

/** The same database as another process sees it: through a pool of its own, where there can be two. */
export function openBeside(test: TestDatabase): Promise<TestDatabase> {
  if (test.kind === 'pglite') return Promise.resolve({ ...test, close: () => Promise.resolve() });
  return connectTo(test.connection, () => Promise.resolve());
}

async function connectTo(connection: DatabaseConnection, remove: () => Promise<void>): Promise<TestDatabase> {
  const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000, idleInTransactionMs: 30_000 };
  const dataSource = createDataSource(connection, limits, silentLogger);
  await dataSource.initialize();
  return {
    database: new Database(dataSource, connection),
    dataSource,
    kind: connection.kind,
    connection,
    close: async () => {
      await dataSource.destroy();
      await remove();
    },
  };
}

function defaultKind(): TestDatabaseKind {
  const named = process.env.TEST_DATABASE || 'pglite';
  if (named !== 'postgres' && named !== 'pglite') throw new Error('TEST_DATABASE must be postgres or pglite');
  return named;
}

function openTemporary(kind: TestDatabaseKind): Promise<TemporaryDatabase> {
  return kind === 'pglite' ? openPGliteCopy() : openPostgresClone();
}
