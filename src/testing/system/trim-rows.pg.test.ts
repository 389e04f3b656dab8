import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import { TrimRows } from '../../upkeep/trim-rows.js';
import { testIds } from '../factories.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

const dayMs = 86_400_000;
/** What one run removes at most. */
const mostAtOnce = 20_000;

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
});
afterAll(() => db.close());
beforeEach(async () => {
  for (const table of ['outbox', 'dead_letter', 'idempotency_key']) await rows(`delete from ${table}`);
});

const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);
const repositories = () => repositoriesOn(db.database, testIds);
const ago = (days: number): string => `clock_timestamp() - interval '${days} days'`;

/** A pass, how rows of its table are planted, and which of those it must keep whatever their age. */
interface Case {
  readonly table: string;
  readonly trim: () => (keepMs: number, limit: number) => Promise<number>;
  /** Inserts so many rows that are over for so many days. */
  readonly plantOver: (count: number, days: number) => Promise<unknown>;
  /** Inserts one row each of what is still needed, very old. */
  readonly plantLive: () => Promise<number>;
}

const outbox = (count: number, status: number, days: number, sent: boolean) =>
  rows(
    `insert into outbox (id, aggregate_id, topic, payload, headers, status, created_at, sent_at)
     select $1::bigint + n, 1, 't', '{}', '{}', $2::smallint, ${ago(days)}, case when $3 then ${ago(days)} end from generate_series(1, $4::int) n`,
    testIds.next(),
    status,
    sent,
    count,
  );
const letters = (count: number, state: string, days: number) =>
  rows(
    `insert into dead_letter (id, kind, subject, topic, headers, reason, state, created_at, settled_at)
     select $1::bigint + n, 'MESSAGE', 'message ' || ($1::bigint + n), 't', '{}', 'r', $2::text, ${ago(days)}, case when $2 <> 'OPEN' then ${ago(days)} end
       from generate_series(1, $3::int) n`,
    testIds.next(),
    state,
    count,
  );
const keys = (count: number, days: number) =>
  rows(
    `insert into idempotency_key (key, fingerprint, claim, claimed_until, created_at)
     select gen_random_uuid()::text, 'f', gen_random_uuid(), clock_timestamp(), ${ago(days)} from generate_series(1, $1::int)`,
    count,
  );

const cases: Record<string, Case> = {
  'trim-outbox': {
    table: 'outbox',
    trim: () => repositories().outbox.trim.bind(repositories().outbox),
    plantOver: (count, days) => outbox(count, 2, days, true),
    plantLive: async () => {
      await outbox(1, 1, 900, false);
      await outbox(1, 3, 900, false);
      return 2;
    },
  },
  'trim-dead-letters': {
    table: 'dead_letter',
    trim: () => repositories().letters.trim.bind(repositories().letters),
    plantOver: async (count, days) => {
      await letters(1, 'DISCARDED', days);
      await letters(count - 1, 'REPLAYED', days);
    },
    plantLive: async () => {
      await letters(1, 'OPEN', 900);
      return 1;
    },
  },
  'trim-idempotency-keys': {
    table: 'idempotency_key',
    trim: () => repositories().keys.trim.bind(repositories().keys),
    plantOver: keys,
    plantLive: () => Promise.resolve(0),
  },
};

describe.each(Object.entries(cases))('%s', (name, { table, trim, plantOver, plantLive }) => {
  const pass = (days: number) => new TrimRows({ name, keepMs: days * dayMs, intervalMs: 1 }, trim());
  const left = async () => (await rows(`select count(*)::int as n from ${table}`))[0]?.n;

  it('removes what is over for longer than the policy says, and nothing younger', async () => {
    await plantOver(3, 11);
    await plantOver(2, 9);
    expect(await pass(10).runOnce()).toEqual({ removed: 3 });
    expect(await pass(10).runOnce()).toEqual({ removed: 0 });
    expect(await left()).toBe(2);
  });

  it('never removes what somebody still has to deal with, however old', async () => {
    const live = await plantLive();
    await plantOver(1, 900);
    expect(await pass(1).runOnce()).toEqual({ removed: 1 });
    expect(await left()).toBe(live);
  });

  it('keeps everything for a policy of 0 days', async () => {
    await plantOver(3, 3_000);
    expect(await pass(0).runOnce()).toEqual({ removed: 0 });
    expect(await left()).toBe(3);
  });

  it('removes a bounded number in one run, and the rest in the next', async () => {
    await plantOver(mostAtOnce + 500, 11);
    expect(await pass(10).runOnce()).toEqual({ removed: mostAtOnce });
    expect(await pass(10).runOnce()).toEqual({ removed: 500 });
  });

  it('stops between two portions when it is asked to', async () => {
    await plantOver(3, 11);
    expect(await pass(10).runOnce(AbortSignal.abort())).toEqual({ removed: 0 });
  });
});
