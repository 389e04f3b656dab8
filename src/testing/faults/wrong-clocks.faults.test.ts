import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at, type Fields } from '../api-client.js';
import { servedRows } from '../served-rows.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import { firstReached, type FaultyProcess } from './faulty-process.js';
import { skewVariable } from './skewed-clock.js';

const hourMs = 3_600_000;
/** What the bench gives workers. */
const leaseMs = 2_000;
/** Passes run every 300 ms; the rest is the machine's. */
const takenWithinSeconds = 4;

let bench: FaultBench;
/** An hour behind the database, and an hour ahead. */
let earlyApi: FaultyProcess;
let lateApi: FaultyProcess;
let workers: FaultyProcess[];
let early: ApiClient;
let late: ApiClient;
let expected: unknown[];
let copies = 0;
let probes = 0;

const skewed = (roles: string, skewMs: number): Promise<FaultyProcess> =>
  bench.start(roles, { [skewVariable]: String(skewMs), RETRY_DELAY_MS: '2000' });

beforeAll(async () => {
  bench = await FaultBench.open();
  const quiet = await Promise.all([bench.start('api'), bench.start('worker,relay,upkeep')]);
  const { documentId } = await accepted(new ApiClient(quiet[0].service.baseUrl));
  await bench.settle();
  expected = await servedRows(bench.database, documentId);
  for (const each of quiet) await each.service.stop();
  [earlyApi, lateApi, ...workers] = await Promise.all([
    skewed('api', -hourMs),
    skewed('api', hourMs),
    skewed('worker,relay,upkeep', -hourMs),
    skewed('worker,relay,upkeep', hourMs),
  ]);
  early = new ApiClient(earlyApi.service.baseUrl);
  late = new ApiClient(lateApi.service.baseUrl);
}, 240_000);

afterAll(() => bench.close(), 60_000);

beforeEach(async () => {
  workers = workers.filter((worker) => worker.alive);
  while (workers.length < 2) workers.push(await skewed('worker,relay,upkeep', workers.length === 0 ? -hourMs : hourMs));
}, 60_000);

async function accepted(api: ApiClient): Promise<{ documentId: Id; planId: Id; taskId: Id }> {
  copies += 1;
  const document = await api.confirmed(`copy-${copies}.md`, faultText(copies));
  return { ...document, taskId: await built(api, document) };
}

async function built(api: ApiClient, { documentId, planId }: { documentId: Id; planId: Id }): Promise<Id> {
  const { status, body } = await api.build(documentId, planId);
  expect(status).toBe(202);
  const taskId = at<Id>(body, 'taskId');
  bench.accepted.push(taskId);
  return taskId;
}

async function endsAsUndisturbed(documentId: Id): Promise<void> {
  expect(await bench.violations()).toEqual([]);
  expect(await servedRows(bench.database, documentId)).toEqual(expected);
}

/** Times of a task's rows that have to stand in this order, as the API gives them. */
function timesOf(task: Fields): string[] {
  const stages = at<{ startedAt: string; finishedAt: string }[]>(task, 'stages');
  return [
    at<string>(task, 'createdAt'),
    ...stages.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt]),
    at<string>(task, 'finishedAt'),
  ];
}

/** Until when a task is held, or when it is due again, by the database's clock. */
async function rowTime(taskId: Id, column: 'lease_until' | 'next_retry_at'): Promise<string> {
  const [row] = await bench.database.query<{ at: string }>(`select ${column}::text as at from task where id = $1`, [
    taskId,
  ]);
  return row?.at ?? 'none';
}

/** How many seconds after a moment of the database's clock the second attempt began. */
async function claimedAfter(taskId: Id, moment: string): Promise<number> {
  const [row] = await bench.database.query<{ seconds: number }>(
    `select extract(epoch from at - $2::timestamptz)::float8 as seconds from task_log
      where task_id = $1 and event = 'CLAIMED' and metadata->>'attempt' = '2'`,
    [taskId, moment],
  );
  return row?.seconds ?? NaN;
}

describe('processes whose clocks are two hours apart', () => {
  it('build what any of them accepted, once, as if all clocks were right', async () => {
    for (const api of [early, late]) {
      const { documentId, taskId } = await accepted(api);
      const task = await early.ended(taskId);
      expect([at(task, 'taskStatus.name'), at(task, 'attempt')]).toEqual(['SUCCESS', 1]);
      expect(timesOf(task)).toEqual([...timesOf(task)].sort());
      await endsAsUndisturbed(documentId);
    }
  }, 120_000);

  it('agree on which task of a document is the newest', async () => {
    const document = await accepted(late);
    await late.ended(document.taskId);
    const second = await built(early, document);
    await early.ended(second);
    const third = await built(late, document);
    await late.ended(third);
    expect(BigInt(second)).toBeGreaterThan(BigInt(document.taskId));
    expect(BigInt(third)).toBeGreaterThan(BigInt(second));
    await endsAsUndisturbed(document.documentId);
  }, 120_000);

  it('leave a lease alone that its holder extends, and take one over soon after it has ended', async () => {
    for (const worker of workers) worker.arm('build: batch embedded', 'hold');
    const { documentId, taskId } = await accepted(late);
    const holder = await firstReached(workers, 'build: batch embedded');
    await pause(3 * leaseMs);
    // Held for three leases, and nobody has claimed it beside its holder.
    const held = (await early.get(`/tasks/${taskId}`)).body;
    expect([at(held, 'taskStatus.name'), at(held, 'attempt')]).toEqual(['RUNNING', 1]);
    await holder.kill();
    const until = await rowTime(taskId, 'lease_until');
    await early.ended(taskId);
    const overdue = await claimedAfter(taskId, until);
    expect(overdue).toBeGreaterThanOrEqual(0);
    expect(overdue).toBeLessThan(takenWithinSeconds);
    await endsAsUndisturbed(documentId);
  }, 120_000);

  it('begin a retry when it is due by the clock of the database', async () => {
    const place = 'build: vectors inserted, not committed';
    for (const worker of workers) worker.arm(place, 'hold');
    const { documentId, taskId } = await accepted(early);
    const holder = await firstReached(workers, place);
    await bench.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'`,
    );
    holder.release(place);
    await late.until(`/tasks/${taskId}`, (task) => at(task, 'taskStatus.name') === 'RETRYING');
    const due = await rowTime(taskId, 'next_retry_at');
    await early.ended(taskId);
    const afterDue = await claimedAfter(taskId, due);
    expect(afterDue).toBeGreaterThanOrEqual(0);
    expect(afterDue).toBeLessThan(takenWithinSeconds);
    await endsAsUndisturbed(documentId);
  }, 120_000);
});

describe('clocks that are set while everything works', () => {
  it.each([
    ['back', -3 * hourMs],
    ['forward', 3 * hourMs],
  ])(
    '%s: builds go on, no id comes twice, and later ones are higher',
    async (_, skewMs) => {
      const first = await accepted(late);
      for (const each of [earlyApi, lateApi, ...workers]) each.setClock(skewMs);
      const others = await Promise.all([patiently(late), patiently(early), patiently(late)]);
      for (const { documentId, taskId } of others) {
        expect(BigInt(taskId)).toBeGreaterThan(BigInt(first.taskId));
        expect(at(await early.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
        await endsAsUndisturbed(documentId);
      }
      await endsAsUndisturbed(first.documentId);
    },
    120_000,
  );
});

/** As a client that was told to come again: a process whose clock was set forward asks the database before it goes on. */
async function patiently(api: ApiClient): Promise<{ documentId: Id; taskId: Id }> {
  for (let tries = 1; ; tries += 1) {
    const probe = await api.post('/knowledge-bases', { name: `probe ${(probes += 1)}` });
    if (probe.status === 201) return accepted(api);
    expect([probe.status, tries <= 20]).toEqual([503, true]);
    await pause(100);
  }
}
