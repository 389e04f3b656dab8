import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IdempotencyKeyRepository } from '../database/repositories/idempotency-key-repository.js';
import { keysKeptMs } from '../domain/idempotency.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { TrimIdempotencyKeys } from './trim-idempotency-keys.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await openTestDatabase({ on: 'postgres' });
});
afterAll(() => test.close());

it('removes the keys that are too old, however many, and no other', async () => {
  await test.database.query(
    `insert into idempotency_key (key, fingerprint, claim, claimed_until, created_at)
     select 'key-' || n, 'f', gen_random_uuid(), clock_timestamp(),
            clock_timestamp() - $1 * interval '1 ms' + (case when n <= 2500 then -1 else 60 end) * interval '1 s'
       from generate_series(1, 2503) n`,
    [keysKeptMs],
  );
  const pass = new TrimIdempotencyKeys(new IdempotencyKeyRepository(test.database));
  expect(await pass.runOnce()).toEqual({ removed: 2_500 });
  expect(await pass.runOnce()).toEqual({ removed: 0 });
  expect(await test.database.query('select count(*)::int as n from idempotency_key')).toEqual([{ n: 3 }]);
});
