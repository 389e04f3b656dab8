import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Once } from '../../database/once.js';
import { IdempotencyKeyRepository } from '../../database/repositories/idempotency-key-repository.js';
import { defaultTenant } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { describeKeyedCalls, newKey } from '../../testing/contract/keyed-calls-contract.js';
import { plantDocument } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import type { TestAnswer } from '../../testing/http-test-server.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { Answer } from '../answer.js';
import { KeyedCalls, keyedCallTimes, type KeyedCall } from './keyed-calls.js';

describeKeyedCalls('postgres');

describe('while the first request is running', () => {
  let slow: HttpApi;
  let other: HttpApi;
  let impatient: HttpApi;

  beforeAll(async () => {
    slow = await startHttpApi();
    other = await startHttpApi({ beside: slow });
    impatient = await startHttpApi({ beside: slow, keyTimes: { ...keyedCallTimes, waitMs: 0 } });
  });
  afterAll(async () => {
    for (const api of [impatient, other, slow]) await api.stop();
  });

  /** A build that stands still before the broker's acknowledgement until it is let go. */
  async function standingBuild(key: string) {
    const { documentId, planId } = await plantDocument(slow.test.database);
    const body = JSON.stringify({ documentId, planId });
    const post = (api: HttpApi): Promise<TestAnswer> =>
      api.server.post('/index/build', body, { 'idempotency-key': key });
    let go: () => void = () => undefined;
    const going = new Promise<void>((resolve) => (go = resolve));
    const reached = new Promise<void>((resolve) => {
      slow.publisher.onPublish = () => {
        resolve();
        return going;
      };
    });
    const first = post(slow);
    await reached;
    return { documentId, first, go, post };
  }

  it('a repetition waits for its answer', async () => {
    const key = newKey();
    const { first, go, post } = await standingBuild(key);
    const second = post(other);
    await triedByAnother(key);
    go();
    const [one, two] = await Promise.all([first, second]);
    expect([one.status, two.status, two.text]).toEqual([202, 202, one.text]);
    expect(two.headers.get('idempotency-replayed')).toBe('true');
  });

  /** Resolves when somebody else has tried to claim the key: that leaves a lock's mark on its row. */
  async function triedByAnother(key: string): Promise<void> {
    for (;;) {
      const sql = `select 1 from idempotency_key where key = $1 and xmax <> 0`;
      if ((await slow.test.database.query(sql, [key])).length > 0) return;
    }
  }

  it('a repetition that has waited long enough is told so', async () => {
    const { first, go, post } = await standingBuild(newKey());
    const told = await post(impatient);
    expect([told.status, told.body.code, told.headers.get('retry-after')]).toEqual([
      409,
      'IDEMPOTENCY_IN_PROGRESS',
      '1',
    ]);
    go();
    expect((await first).status).toBe(202);
    expect((await post(impatient)).text).toBe((await first).text);
  });

  it('another request with its key is refused at once', async () => {
    const key = newKey();
    const { first, go } = await standingBuild(key);
    const answer = await other.server.post('/knowledge-bases', '{"name":"x"}', { 'idempotency-key': key });
    expect([answer.status, answer.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    go();
    await first;
  });

  it('a run that lost its key commits nothing any more', async () => {
    const key = newKey();
    const { documentId, first, go } = await standingBuild(key);
    await slow.test.database.query(
      `update idempotency_key set claim = '00000000-0000-4000-8000-000000000000' where key = $1`,
      [key],
    );
    go();
    expect([(await first).status, (await first).body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    expect(await slow.test.database.query('select 1 from task where document_id = $1', [documentId])).toEqual([]);
    const kept = await slow.test.database.query('select claim from idempotency_key where key = $1', [key]);
    expect(kept).toEqual([{ claim: '00000000-0000-4000-8000-000000000000' }]);
  });
});

describe('a run of its own', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await openTestDatabase({ on: 'postgres' });
  });
  afterAll(() => db.close());

  const ok: Answer = { status: 201, json: { made: true } };
  const call = (key: string, run: KeyedCall['run'], tenantId = defaultTenant): KeyedCall => ({
    tenantId,
    key,
    fingerprint: 'f',
    signal: new AbortController().signal,
    run,
    discard: () => Promise.resolve(),
  });
  const callsWith = (leaseMs: number) =>
    new KeyedCalls(new IdempotencyKeyRepository(db.database), silentLogger, { ...keyedCallTimes, leaseMs });
  const create = (once: Once) => db.database.transaction(() => Promise.resolve('made'), once);

  it('keeps its key for as long as it takes', async () => {
    const key = newKey();
    const leaseMs = 90;
    const renewed = async (): Promise<boolean> => {
      const sql = `select 1 from idempotency_key where key = $1 and claimed_until > created_at + $2 * interval '1 ms'`;
      return (await db.database.query(sql, [key, 2 * leaseMs])).length > 0;
    };
    const answer = await callsWith(leaseMs).answer(
      call(key, async (once) => {
        while (!(await renewed()));
        await create(once);
        return ok;
      }),
    );
    expect(answer.status).toBe(201);
  });

  it('is the one of its tenant, whoever else has such a key', async () => {
    const key = newKey();
    const ask = (tenantId: string) =>
      callsWith(9_000).answer(
        call(
          key,
          async (once) => {
            await create(once);
            return { status: 201, json: { tenantId } };
          },
          tenantId,
        ),
      );
    for (const tenantId of ['0', '7', '0', '7']) expect(await ask(tenantId)).toMatchObject({ json: { tenantId } });
  });

  it('that fails after its commit leaves what it has made to the repetition', async () => {
    const key = newKey();
    const calls = callsWith(9_000);
    const failing = call(key, async (once) => {
      await create(once);
      throw new Error('the answer could not be read');
    });
    await expect(calls.answer(failing)).rejects.toThrow('the answer could not be read');
    let done: unknown;
    const again = await calls.answer(
      call(key, (once) => {
        ({ done } = once);
        return Promise.resolve(ok);
      }),
    );
    expect(done).toEqual({ result: 'made' });
    expect(again.status).toBe(201);
  });
});
