import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { DatabaseConnection } from '../../database/connection.js';
import { createDataSource } from '../../database/data-source.js';
import { Database } from '../../database/database.js';
import { silentLogger } from '../../logging/logger.js';
import { announcedRandom } from '../../testing/faults/seeded-random.js';
import { copyMigratedFolder } from '../../testing/pglite-copy.js';
import { EmbeddedDatabase, embeddedDatabaseTimes, type EmbeddedDatabaseTimes } from './embedded-database.js';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.js';

// Each test starts processes, some of them several times, and the machine may be busy.
jest.setTimeout(120_000);

/** Times that it is killed under load; FAULT_KILLS asks for more. */
const kills = Number(process.env.FAULT_KILLS ?? 3);
const random = announcedRandom();

const quick: EmbeddedDatabaseTimes = { ...embeddedDatabaseTimes, restartDelay: 5 };
const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 10_000, idleInTransactionMs: 10_000 };

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function migratedFolder(): Promise<string> {
  const folder = await copyMigratedFolder();
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type DataSource = ReturnType<typeof createDataSource>;
type QueryRunner = ReturnType<DataSource['createQueryRunner']>;

/** The part of a pg client that a fault is put into. */
interface RawClient {
  readonly connection: { readonly stream: Socket };
}

async function rawClient(
  connection: DatabaseConnection,
): Promise<{ source: DataSource; runner: QueryRunner; client: RawClient }> {
  const source = createDataSource(connection, limits, silentLogger);
  await source.initialize();
  cleanUp.push(() => source.destroy());
  const runner = source.createQueryRunner();
  return { source, runner, client: (await runner.connect()) as RawClient };
}

interface Holding {
  readonly embedded: EmbeddedDatabase;
  readonly lost: Promise<Error>;
}

function embeddedAt(dataDir: string, times = quick, idleMs = 60_000): Holding {
  let onLost: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => (onLost = resolve));
  const embedded = new EmbeddedDatabase({ dataDir, idleMs, onLost }, silentLogger, times);
  cleanUp.push(() => embedded.stop());
  return { embedded, lost };
}

async function connect(connection: DatabaseConnection): Promise<Database> {
  const source = createDataSource(connection, limits, silentLogger);
  await source.initialize();
  cleanUp.push(() => source.destroy());
  return new Database(source, connection);
}

/** Asks until the database answers again; each try waits for a connection of its own. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'DATABASE_UNAVAILABLE') throw error;
      // Asking without a pause would take the processor from the one that is starting.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Numbers that were acknowledged go to `acknowledged`; ends when one is not. */
async function writeUntilLost(database: Database, acknowledged: number[], afterEach: () => void): Promise<void> {
  for (let id = Math.max(0, ...acknowledged) + 1000; ; id += 1) {
    try {
      await database.query('insert into note values ($1)', [id]);
    } catch {
      return;
    }
    acknowledged.push(id);
    afterEach();
  }
}

/** A process that holds the database in the folder, as a service does. */
async function holder(dataDir: string): Promise<{ child: ChildProcess; told: { pid?: number; refused?: string } }> {
  const script = fileURLToPath(new URL('../../testing/processes/hold-embedded-database.js', import.meta.url));
  const child = fork(script, [dataDir], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  cleanUp.push(() => void child.kill('SIGKILL'));
  const [told] = (await once(child, 'message')) as [{ pid?: number; refused?: string }];
  return { child, told };
}

describe('EmbeddedDatabase', () => {
  it('makes a database in an empty folder and finds it again', async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'database.new-1'));
    const first = embeddedAt(folder).embedded;
    const database = await connect(await first.start());
    await database.query('create table note (id int)');
    await database.query('insert into note values (7)');
    await (cleanUp.pop() as () => Promise<void>)();
    await first.stop();
    expect(existsSync(join(folder, 'database.new-1'))).toBe(false);

    const again = await connect(await embeddedAt(folder).embedded.start());
    expect(await again.query('select id from note')).toEqual([{ id: 7 }]);
  });

  it('listens where only this user can enter, and leaves nothing there', async () => {
    const { embedded } = embeddedAt(await migratedFolder());
    const { address } = await embedded.start();
    const folder = 'host' in address ? address.host : '';
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await embedded.stop();
    expect(existsSync(folder)).toBe(false);
  });

  it('removes the socket folder of a service that was killed', () => {
    const left = join(tmpdir(), 'indexwright-4194303-5-abcdef');
    const foreign = join(tmpdir(), `indexwright-${process.pid}-none-abcdef`);
    for (const folder of [left, foreign]) mkdirSync(folder, { recursive: true });
    cleanUp.push(() => rmSync(foreign, { recursive: true, force: true }));
    removeSocketFolder(makeSocketFolder());
    expect([existsSync(left), existsSync(foreign)]).toEqual([false, true]);
  });

  it('refuses a second start on its folder in one sentence, and goes on itself', async () => {
    const folder = await migratedFolder();
    const { embedded } = embeddedAt(folder);
    const database = await connect(await embedded.start());
    const second = embeddedAt(folder).embedded.start();
    await expect(second).rejects.toMatchObject({
      name: 'StartRefusal',
      message: `The data folder ${folder} is in use by the process ${embedded.pid}: stop it first, or choose another DATA_DIR.`,
    });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('says in one sentence that the folder cannot be written', async () => {
    const file = join(emptyFolder(), 'file');
    writeFileSync(file, '');
    await expect(embeddedAt(join(file, 'data')).embedded.start()).rejects.toMatchObject({
      name: 'StartRefusal',
      message: `The data folder ${join(file, 'data')} cannot be written: a part of its path is a file.`,
    });
  });

  it('refuses a database that another version wrote', async () => {
    const folder = await migratedFolder();
    writeFileSync(join(folder, 'database', 'PG_VERSION'), '17\n');
    await expect(embeddedAt(folder).embedded.start()).rejects.toThrow(/was written by PostgreSQL 17/);
  });

  it(
    'starts a process that was killed again, each time with every acknowledged row',
    async () => {
      const { embedded } = embeddedAt(await migratedFolder(), { ...quick, restartWindow: 1 });
      const database = await connect(await embedded.start());
      await database.query('create table note (id int)');
      const acknowledged: number[] = [];
      for (let round = 0; round < kills; round += 1) {
        const killAfter = acknowledged.length + random.between(1, 60);
        await writeUntilLost(database, acknowledged, () => {
          if (acknowledged.length === killAfter) process.kill(embedded.pid as number, 'SIGKILL');
        });
        const rows = await untilAnswered(() => database.query<{ id: number }>('select id from note'));
        const stored = new Set(rows.map((row) => row.id));
        expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      }
      expect(embedded.ready).toBe(true);
    },
    60_000 + kills * 20_000,
  );

  it('cuts off a client that does not speak the protocol, and serves the next one', async () => {
    const { embedded } = embeddedAt(await migratedFolder());
    const { source, runner, client } = await rawClient(await embedded.start());
    const pid = embedded.pid;
    client.connection.stream.write('not the protocol at all');
    await expect(runner.query('select 1')).rejects.toThrow();
    await runner.release();
    expect(await source.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(embedded.pid).toBe(pid);
  });

  it('starts again when the engine is lost, as by COPY FROM STDIN', async () => {
    const { embedded } = embeddedAt(await migratedFolder());
    const connection = await embedded.start();
    const { source, runner } = await rawClient(connection);
    const pid = embedded.pid;
    await expect(runner.query('copy outbox from stdin')).rejects.toThrow();
    await runner.release();
    const database = new Database(source, connection);
    await untilAnswered(() => database.query('select 1'));
    expect(embedded.pid).not.toBe(pid);
  });

  it('is not ready and says so once when the process keeps ending', async () => {
    const folder = await migratedFolder();
    const { embedded, lost } = embeddedAt(folder, { ...quick, restartDelay: 1 });
    await embedded.start();
    // Nothing can be opened here any more.
    writeFileSync(join(folder, 'database', 'PG_VERSION'), '17\n');
    process.kill(embedded.pid as number, 'SIGKILL');
    expect((await lost).message).toBe('the embedded database keeps ending');
    expect(embedded.ready).toBe(false);
  });

  it('ends a process that does not answer any more, and starts another', async () => {
    const { embedded } = embeddedAt(await migratedFolder(), { ...quick, pingEvery: 10, silence: 300 });
    const database = await connect(await embedded.start());
    await database.query('select 1');
    const pid = embedded.pid as number;
    process.kill(pid, 'SIGSTOP');
    await untilAnswered(() => database.query('select 1'));
    expect(embedded.pid).not.toBe(pid);
  });

  it('clears what a client left behind before it serves the next one', async () => {
    const { embedded } = embeddedAt(await migratedFolder());
    const connection = await embedded.start();
    const { runner, client } = await rawClient(connection);
    await runner.query(`set lock_timeout = '1s'`);
    await runner.query('begin');
    await runner.query('create table left_behind (id int)');
    client.connection.stream.destroy();

    const next = await connect(connection);
    expect(await next.query(`select to_regclass('left_behind') as found`)).toEqual([{ found: null }]);
    expect(await next.query('show lock_timeout')).toEqual([{ lock_timeout: '0' }]);
    await runner.release();
  });

  it('cuts off a client that keeps its transaction open in silence', async () => {
    const { embedded } = embeddedAt(await migratedFolder(), quick, 100);
    const database = await connect(await embedded.start());
    const held = database.transaction(async (transaction) => {
      await transaction.query('create table left_behind (id int)');
      await new Promise((resolve) => setTimeout(resolve, 400));
      await transaction.query('select 1');
    });
    await expect(held).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await database.query(`select to_regclass('left_behind') as found`)).toEqual([{ found: null }]);
  });

  it('outlives the signals of a terminal and closes when its service is killed', async () => {
    const folder = await migratedFolder();
    const { child, told } = await holder(folder);
    const pid = told.pid as number;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    expect((await holder(folder)).told.refused).toContain(`is in use by the process ${pid}`);

    child.kill('SIGKILL');
    // The first one may still be closing: the next waits for it instead of giving up.
    const next = await holder(folder);
    expect(next.told.refused).toBeUndefined();
  });
});
