import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, type TransactionContext } from '../../database/database.js';
import { ensureVectorTable, vectorTable } from '../../database/vector-tables.js';
import { openTestDatabase, type TestDatabase, type TestDatabaseKind } from '../test-database.js';

const widest = '9223372036854775807';

/** What the service relies on, wherever its tables lie. */
export function describeDatabase(kind: TestDatabaseKind): void {
  describe(`the database on ${kind}`, () => {
    let test: TestDatabase;
    let database: Database;

    beforeAll(async () => {
      test = await openTestDatabase({ on: kind });
      database = test.database;
      await database.query('create table sample (id bigint primary key, body text, at timestamptz, live boolean)');
    }, 60_000);
    afterAll(() => test.close());

    describeValues(() => database);
    describeTransactions(() => database);
    describeSearch(() => database);
  });
}

function describeValues(on: () => Database): void {
  it('gives 64-bit numbers as strings, whole', async () => {
    const [row] = await on().query('select $1::bigint as id, count(*) as n, 7::int as small', [widest]);
    expect(row).toEqual({ id: widest, n: '1', small: 7 });
  });

  it('keeps times to the millisecond in UTC', async () => {
    const at = new Date('2026-07-01T23:59:59.123Z');
    const [row] = await on().query(`select $1::timestamptz as at, current_setting('TimeZone') as zone`, [at]);
    expect(row).toEqual({ at, zone: 'UTC' });
  });

  it('refuses NUL in text and in JSON', async () => {
    await expect(on().query('select $1::text', ['a\0b'])).rejects.toMatchObject({ code: '22021' });
    await expect(on().query('select $1::jsonb', [JSON.stringify('a\0b')])).rejects.toMatchObject({ code: '22P05' });
  });

  it('keeps Chinese and emoji as they are', async () => {
    const text = '研究生命起源的科学家 👩‍🔬';
    expect(await on().query('select $1::text as text', [text])).toEqual([{ text }]);
  });

  it('inserts many rows with one statement', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => String(1_000_000 + index));
    await on().query('insert into sample (id, body) select * from unnest($1::bigint[], $2::text[])', [ids, ids]);
    const json = JSON.stringify([{ id: widest, body: 'from JSON' }]);
    await on().query(
      'insert into sample (id, body) select id, body from json_to_recordset($1::json) as r (id bigint, body text)',
      [json],
    );
    expect(await on().query('select count(*)::int as n from sample where id >= 1000000')).toEqual([{ n: 5_001 }]);
  });
}

function describeTransactions(on: () => Database): void {
  it('keeps what resolved and nothing of what was rejected', async () => {
    await on().transaction((transaction) => insert(transaction, '1'));
    const stopped = on().transaction(async (transaction) => {
      await insert(transaction, '2');
      throw new Error('changed my mind');
    });
    await expect(stopped).rejects.toThrow('changed my mind');
    expect(await idsBelow(on(), 10)).toEqual(['1']);
  });

  it('fails as a whole when a failed statement was ignored', async () => {
    const careless = on().transaction(async (transaction) => {
      await insert(transaction, '20');
      await insert(transaction, '20').catch(() => undefined);
      return 'done';
    });
    await expect(careless).rejects.toThrow('a failed statement was ignored');
    expect(await on().query('select id from sample where id = 20')).toEqual([]);
  });

  it('refuses a query beside the open transaction at once', async () => {
    const lost = on().transaction(async (transaction) => {
      await transaction.query('select 1');
      return on().query('select 1');
    });
    await expect(lost).rejects.toThrow('a query beside the open transaction');
    const nested = on().transaction(() => on().transaction(() => Promise.resolve()));
    await expect(nested).rejects.toThrow('a query beside the open transaction');
    expect(await on().query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('lets those wait that come from elsewhere while a transaction is open', async () => {
    const order: string[] = [];
    const first = on().transaction(async (transaction) => {
      await transaction.query('select 1');
      order.push('first');
    });
    const second = on()
      .query('select 1')
      .then(() => order.push('second'));
    await Promise.all([first, second]);
    expect(order).toHaveLength(2);
  });

  it('acts after the commit, and not after a rollback', async () => {
    const acted: string[] = [];
    await on().transaction((transaction) => {
      transaction.afterCommit(() => acted.push('committed'));
      return Promise.resolve();
    });
    const refused = on().transaction((transaction) => {
      transaction.afterCommit(() => acted.push('rolled back'));
      return Promise.reject(new Error('no'));
    });
    await expect(refused).rejects.toThrow('no');
    expect(acted).toEqual(['committed']);
  });

  it('tells once of each task that a commit changed, and of none after a rollback', async () => {
    const told: string[] = [];
    on().onTaskChange(({ taskId }) => told.push(taskId));
    await on().transaction((transaction) => {
      for (const taskId of ['1', '2', '1']) transaction.taskChanged({ tenantId: '0', taskId });
      expect(told).toEqual([]);
      return Promise.resolve();
    });
    const refused = on().transaction((transaction) => {
      transaction.taskChanged({ tenantId: '0', taskId: '3' });
      return Promise.reject(new Error('no'));
    });
    await expect(refused).rejects.toThrow('no');
    expect(told).toEqual(['1', '2']);
  });

  it('can be used again after a statement that failed', async () => {
    await expect(on().query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    expect(await on().query('select $1::int as n', [2])).toEqual([{ n: 2 }]);
  });

  it('keeps one live row per key by a partial unique index', async () => {
    await on().query('create unique index if not exists sample_one_live on sample (body) where live');
    const sql = 'insert into sample (id, body, live) values ($1, $2, $3)';
    await on().query(sql, ['30', 'key', true]);
    await on().query(sql, ['31', 'key', false]);
    await expect(on().query(sql, ['32', 'key', true])).rejects.toMatchObject({
      code: '23505',
      constraint: 'sample_one_live',
    });
  });

  it('runs the same named statement again and again', async () => {
    for (const n of [1, 2, 3]) expect(await on().query('select $1::int as n', [n], 'contract-n')).toEqual([{ n }]);
  });

  it('claims with FOR UPDATE SKIP LOCKED', async () => {
    const claimed = await on().transaction((transaction) =>
      transaction.query('select id from sample where id = 1 for update skip locked'),
    );
    expect(claimed).toEqual([{ id: '1' }]);
  });
}

function describeSearch(on: () => Database): void {
  it('finds the nearest vectors, and refuses those of another size', async () => {
    await Promise.all([ensureVectorTable(on(), 3), ensureVectorTable(on(), 3)]);
    const insertVector = `insert into ${vectorTable(3)} values (1, 1, $1, $2::vector)`;
    await on().query(insertVector, [0, '[1,0,0]']);
    await on().query(insertVector, [1, '[0,1,0]']);
    const nearest = await on().query(
      `select ordinal from ${vectorTable(3)} order by embedding <=> $1::vector limit 1`,
      ['[0.1,0.9,0]'],
    );
    expect(nearest).toEqual([{ ordinal: 1 }]);
    await expect(on().query(insertVector, [2, '[1,2]'])).rejects.toMatchObject({ code: '22000' });
    await expect(on().query(insertVector, [2, '[NaN,0,0]'])).rejects.toMatchObject({ code: '22000' });
  });

  it('keeps vectors in their rows where they fit, and beside them where not', async () => {
    await ensureVectorTable(on(), 2_000);
    await ensureVectorTable(on(), 3_072);
    for (const dimension of [2_000, 3_072]) {
      const vector = JSON.stringify(Array.from({ length: dimension }, (_, at) => at + 0.123456));
      await on().query(`insert into ${vectorTable(dimension)} values (1, 1, 0, $1::vector)`, [vector]);
    }
    const storage = await on().query(
      `select attrelid::regclass::text as name, attstorage as storage from pg_attribute
        where attrelid in ('chunk_vector_2000'::regclass, 'chunk_vector_3072'::regclass) and attname = 'embedding'
        order by 1`,
    );
    expect(storage).toEqual([
      { name: 'chunk_vector_2000', storage: 'p' },
      { name: 'chunk_vector_3072', storage: 'e' },
    ]);
  });

  it('searches full text', async () => {
    const [row] = await on().query(
      `select to_tsvector('english', $1) @@ websearch_to_tsquery('english', 'vector tables') as found,
              to_tsvector('simple', '向量 数据库') @@ plainto_tsquery('simple', '向量') as chinese`,
      ['The tables of vectors'],
    );
    expect(row).toEqual({ found: true, chinese: true });
  });
}

function insert(transaction: TransactionContext, id: string): Promise<unknown> {
  return transaction.query('insert into sample (id) values ($1)', [id]);
}

async function idsBelow(database: Database, id: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>('select id from sample where id < $1 order by id', [id]);
  return rows.map((row) => row.id);
}
