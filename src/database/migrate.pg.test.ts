import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StartRefusal } from '../domain/start-refusal.js';
import { silentLogger } from '../logging/logger.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { postgresConnection, type DatabaseConnection } from './connection.js';
import { createDataSource } from './data-source.js';
import { migrate } from './migrate.js';
import { migrations } from './migrations.js';

const names = migrations.map((migration) => migration.name);
const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 10_000, idleInTransactionMs: 10_000 };

let server: TestDatabase;
let empty: DatabaseConnection;
const made: string[] = [];

beforeAll(async () => {
  server = await openTestDatabase({ on: 'postgres' });
});
afterAll(async () => {
  for (const name of made) await server.database.query(`drop database if exists ${name} with (force)`);
  await server.close();
});
beforeEach(async () => {
  const name = `iw_migrate_${randomBytes(6).toString('hex')}`;
  await server.database.query(`create database ${name}`);
  made.push(name);
  empty = named(name);
});

function named(name: string, user?: string): DatabaseConnection {
  const url = new URL((server.connection.address as { connectionString: string }).connectionString);
  url.pathname = `/${name}`;
  if (user !== undefined) url.username = user;
  return postgresConnection(url.href, 2);
}

async function on<T>(connection: DatabaseConnection, sql: string): Promise<T[]> {
  const source = createDataSource(connection, limits, silentLogger);
  await source.initialize();
  try {
    return await source.query<T[]>(sql);
  } finally {
    await source.destroy();
  }
}

describe('migrate', () => {
  it('brings an empty database up to date, once', async () => {
    expect(await migrate(empty, silentLogger)).toEqual(names);
    expect(await migrate(empty, silentLogger)).toEqual([]);
  });

  it('is done by one of several processes that start at once', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(empty, silentLogger)));
    expect(runs.flat()).toEqual(names);
  });

  it('can be repeated after it failed half way', async () => {
    // The last migration's work is undone as a whole because of what it meets.
    await on(empty, 'create table upkeep_pass (id int)');
    await expect(migrate(empty, silentLogger)).rejects.toMatchObject({ code: '42P07' });
    await on(empty, 'drop table upkeep_pass');
    expect((await migrate(empty, silentLogger)).length).toBeGreaterThan(0);
    expect(await on(empty, 'select count(*)::int as n from schema_migration')).toEqual([{ n: names.length }]);
  });

  it('waits for one that is killed, and does its work', async () => {
    const source = createDataSource(empty, limits, silentLogger);
    await source.initialize();
    const runner = source.createQueryRunner();
    await runner.query('begin');
    await runner.query('create table document (id int)');
    const [own] = (await runner.query('select pg_backend_pid() as pid')) as { pid: number }[];
    const migrating = migrate(empty, silentLogger);
    await lockWaiterOf(own?.pid ?? 0);
    await server.database.query('select pg_terminate_backend($1)', [own?.pid]);
    expect(await migrating).toEqual(names);
    await runner.release();
    await source.destroy();
  });

  it('says in one sentence that the database does not exist', async () => {
    const refused = migrate(named('iw_there_is_none'), silentLogger);
    await expect(refused).rejects.toThrow(/^The database iw_there_is_none at \S+ does not exist: create it first\.$/);
    await expect(refused).rejects.toBeInstanceOf(StartRefusal);
  });

  it('says in one sentence that the user may not create tables', async () => {
    const role = `iw_role_${randomBytes(6).toString('hex')}`;
    await server.database.query(`create role ${role} login`);
    try {
      const database = made.at(-1) ?? '';
      await on(empty, 'create extension vector');
      const refused = migrate(named(database, role), silentLogger);
      await expect(refused).rejects.toThrow('grant it CREATE');
      await expect(refused).rejects.toBeInstanceOf(StartRefusal);
    } finally {
      await server.database.query(`drop role ${role}`);
    }
  });
});

/** Resolves when another session waits for a lock that this one holds. */
async function lockWaiterOf(pid: number): Promise<void> {
  for (;;) {
    const waiting = await server.database.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
      pid,
    ]);
    if (waiting.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
