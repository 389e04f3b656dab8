import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../logging/logger.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { EmbeddedUpkeep, type EmbeddedUpkeepCounts } from './embedded-upkeep.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase({ on: 'pglite' });
}, 60_000);
afterAll(() => test.close());

const bytes = async (sql: string): Promise<number> => {
  const [row] = await test.database.query<{ bytes: string }>(`select ${sql} as bytes`);
  return Number(row?.bytes);
};

/** One pass that knows of all that was done before: the engine counts rows with a delay. */
const tidy = async (): Promise<EmbeddedUpkeepCounts> => {
  await test.database.query('select pg_stat_force_next_flush()');
  return new EmbeddedUpkeep(test.database, silentLogger).runOnce();
};

describe('EmbeddedUpkeep', () => {
  it('keeps a table that is rewritten again and again, and the log, from growing', async () => {
    await test.database.query('create table "Worn out" (id int, body text)');
    await test.database.query(`insert into "Worn out" select n, repeat('x', 1000) from generate_series(1, 15000) n`);
    await tidy();
    const rewrite = async (): Promise<void> => {
      for (let round = 0; round < 5; round += 1) {
        await test.database.query(`update "Worn out" set body = repeat('y', 1000)`);
      }
    };
    await rewrite();
    const size = await bytes(`pg_relation_size('"Worn out"')`);
    const log = await bytes('(select sum(size) from pg_ls_waldir())');
    expect(await tidy()).toEqual({ vacuumed: 1, analysed: 0, checkpoints: 1 });
    await rewrite();
    expect(await bytes(`pg_relation_size('"Worn out"')`)).toBeLessThan(size * 1.1);
    await tidy();
    expect(await bytes('(select sum(size) from pg_ls_waldir())')).toBeLessThan(log * 1.5);
    expect(await tidy()).toEqual({ vacuumed: 0, analysed: 0, checkpoints: 0 });
  }, 120_000);

  it('lets the planner know of new rows', async () => {
    await test.database.query('create table fresh (n int)');
    await test.database.query('insert into fresh select n from generate_series(1, 500) n');
    expect(await tidy()).toMatchObject({ analysed: 1 });
    expect(await bytes(`(select reltuples::int from pg_class where relname = 'fresh')`)).toBe(500);
  });
});
