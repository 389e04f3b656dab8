import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../logging/logger.js';
import { describeDatabase } from '../testing/contract/database-contract.js';
import { CuttingProxy } from '../testing/cutting-proxy.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { postgresConnection } from './connection.js';
import { createDataSource } from './data-source.js';
import { CommitOutcomeUnknown, Database, type TransactionContext } from './database.js';

describeDatabase('postgres');

describe('the database, when connections break', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase({ on: 'postgres' });
    await test.database.query('create table sample (id int primary key)');
  });
  afterAll(() => test.close());

  const kill = async (transaction: TransactionContext): Promise<void> => {
    const [own] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
    await test.dataSource.query('select pg_terminate_backend($1, 5000)', [own?.pid]);
  };

  it('says that the database does not answer when a session is ended inside a transaction, and goes on', async () => {
    const broken = test.database.transaction(async (transaction) => {
      await transaction.query('insert into sample values (1)');
      await kill(transaction);
      await transaction.query('insert into sample values (2)');
    });
    await expect(broken).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await test.database.query('select id from sample')).toEqual([]);
  });

  it('cannot tell the outcome of a commit whose session was ended before it', async () => {
    const broken = test.database.transaction(async (transaction) => {
      await transaction.query('insert into sample values (3)');
      await kill(transaction);
    });
    await expect(broken).rejects.toBeInstanceOf(CommitOutcomeUnknown);
    expect(await test.database.query('select id from sample')).toEqual([]);
  });

  it('gives no broken connection back to the pool', async () => {
    for (let round = 0; round < 12; round += 1) {
      const broken = test.database.transaction(async (transaction) => {
        await kill(transaction);
        await transaction.query('select 1');
      });
      await expect(broken).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    }
    const all = await Promise.all(Array.from({ length: 20 }, () => test.database.query('select 1 as one')));
    expect(all.flat()).toHaveLength(20);
  });

  it('reports the work’s own error when the rollback finds the session gone', async () => {
    const broken = test.database.transaction(async (transaction) => {
      await kill(transaction);
      throw new Error('the reason');
    });
    await expect(broken).rejects.toThrow('the reason');
  });

  it('ends a statement that takes too long, and the session stays good', async () => {
    await expect(
      withLimits({ statementTimeoutMs: 50 }, (database) => database.query('select pg_sleep(5)')),
    ).rejects.toMatchObject({ code: '57014' });
  });

  it('lets the server end a transaction that lies still', async () => {
    const abandoned = withLimits({ idleInTransactionMs: 50 }, (database) =>
      database.transaction(async (transaction) => {
        await transaction.query('insert into sample values (4)');
        await new Promise((resolve) => setTimeout(resolve, 300));
        await transaction.query('insert into sample values (5)');
      }),
    );
    await expect(abandoned).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await test.database.query('select id from sample')).toEqual([]);
  });

  it('does not wait for ever for a connection', async () => {
    const refused = await withLimits({ connectTimeoutMs: 300 }, async (database) => {
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      const holder = database.transaction(() => held);
      const answer = await database.query('select 1').catch((error: unknown) => error);
      letGo();
      await holder;
      return answer;
    });
    expect(refused).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });

  async function withLimits<T>(
    changed: { connectTimeoutMs?: number; statementTimeoutMs?: number; idleInTransactionMs?: number },
    work: (database: Database) => Promise<T>,
  ): Promise<T> {
    const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 10_000, idleInTransactionMs: 10_000, ...changed };
    const connection = { ...test.connection, poolSize: 1 };
    const source = createDataSource(connection, limits, silentLogger);
    await source.initialize();
    try {
      return await work(new Database(source, connection));
    } finally {
      await source.destroy();
    }
  }
});

describe('the database behind a line that is cut', () => {
  let test: TestDatabase;
  let proxy: CuttingProxy;
  let database: Database;
  let source: ReturnType<typeof createDataSource>;

  beforeAll(async () => {
    test = await openTestDatabase({ on: 'postgres' });
    await test.database.query('create table sample (id int primary key)');
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    const { connectionString } = test.connection.address as { connectionString: string };
    const url = new URL(connectionString);
    proxy = await CuttingProxy.to(url.hostname, Number(url.port || 5432));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const connection = postgresConnection(url.href, 1);
    const limits = { connectTimeoutMs: 5_000, statementTimeoutMs: 500, idleInTransactionMs: 5_000 };
    source = createDataSource(connection, limits, silentLogger);
    await source.initialize();
    database = new Database(source, connection);
  });
  afterEach(async () => {
    await source.destroy();
    await proxy.close();
  });

  it('does not claim that a commit failed whose answer was lost', async () => {
    const acted: string[] = [];
    const unsure = database.transaction(async (transaction) => {
      transaction.afterCommit(() => acted.push('committed'));
      await transaction.query('insert into sample values (1)');
      proxy.swallowAnswerTo('COMMIT');
    });
    await expect(unsure).rejects.toBeInstanceOf(CommitOutcomeUnknown);
    expect(await database.query('select id from sample')).toEqual([{ id: 1 }]);
    expect(acted).toEqual([]);
  });

  it('gives up on a server that says nothing, and takes another connection', async () => {
    await database.query('select 1');
    proxy.holdAnswers();
    await expect(database.query('select 2')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    proxy.releaseAnswers();
    expect(await database.query('select 3 as n')).toEqual([{ n: 3 }]);
  });

  it('says that the database does not answer when the line is cut between two statements', async () => {
    const broken = database.transaction(async (transaction) => {
      await transaction.query('select 1');
      proxy.cut();
      await transaction.query('select 2');
    });
    await expect(broken).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    const reading = database.read(async (manager) => {
      await manager.query('select 1');
      proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await manager.query('select 2');
    });
    await expect(reading).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await database.query('select 3 as n')).toEqual([{ n: 3 }]);
  });

  it('says that the database does not answer when the answer to a statement was lost', async () => {
    proxy.swallowAnswerTo('select 42');
    await expect(database.query('select 42')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await database.query('select 43 as n')).toEqual([{ n: 43 }]);
  });
});
