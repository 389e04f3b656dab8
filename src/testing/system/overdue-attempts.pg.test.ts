import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn, type Repositories } from '../../composition/repositories.js';
import type { ClaimedTask } from '../../database/repositories/task-lease-repository.js';
import type { Id } from '../../domain/ids/id.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { silentLogger } from '../../logging/logger.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../factories.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { EndOverdue } from '../../upkeep/end-overdue.js';
import { TakeBackExpired } from '../../upkeep/take-back-expired.js';

let db: TestDatabase;
let repositories: Repositories;
let pass: EndOverdue;
let planted: PlantedDocument;
let held: ClaimedTask;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  repositories = repositoriesOn(db.database, testIds);
  const { overdue, failures } = repositories;
  pass = new EndOverdue(db.database, overdue, failures, silentLogger, { intervalMs: 1_000, graceMs: 10_000 });
});
afterAll(() => db.close());
beforeEach(async () => {
  planted = await plantDocument(db.database);
  const taskId = await plantTask(db.database, planted);
  const outcome = await repositories.leases.claim(taskId, 'w', 60_000);
  if (outcome.type !== 'claimed') throw new Error(outcome.reason);
  held = outcome.task;
});

const row = async (table: string, id: string) =>
  (await db.database.query<Record<string, unknown>>(`select * from ${table} where id = $1`, [id]))[0];
const late = (by: string) =>
  db.database.query(`update task set deadline_at = now() - interval '${by}' where id = $1`, [held.id]);
const finish = { status: TaskStatus.Success, stages: [], error: null, countsAsRetry: false };

/** A promise and the way to resolve it. */
function gate(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((opened) => (resolve = opened));
  return { promise, resolve: () => resolve() };
}

async function untilBlocked(): Promise<void> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await db.database.query(sql)).length === 0) await pause(10);
}

describe('taking back what a silent worker held', () => {
  it('leaves a dead letter once no retries are left, and none before', async () => {
    const { upkeep, failures } = repositories;
    const takeBack = new TakeBackExpired(db.database, upkeep, failures, silentLogger, 1_000);
    const lose = () =>
      db.database.query(`update task set task_status = 2, lease_until = now() - interval '1 s' where id = $1`, [
        held.id,
      ]);
    const letters = () => db.database.query('select code, attempt from dead_letter where task_id = $1', [held.id]);
    await lose();
    expect(await takeBack.runOnce()).toMatchObject({ retried: 1, timedOut: 0 });
    expect(await letters()).toEqual([]);
    await db.database.query('update task set retry_count = max_retry_count where id = $1', [held.id]);
    await lose();
    expect(await takeBack.runOnce()).toMatchObject({ retried: 0, timedOut: 1 });
    expect(await letters()).toEqual([{ code: 'WORKER_LOST', attempt: 1 }]);
  });
});

describe('150 tasks that cannot be mended', () => {
  let broken: Id[];

  /** Copies of the held task in documents of no row, all older than it, and a trigger that refuses every change of them. */
  beforeEach(async () => {
    const copies = await db.database.query<{ id: Id }>(
      `insert into task (id, document_id, knowledge_base_id, plan_id, task_type, task_status, current_stage, trigger_source,
                         strategy_snapshot, build_spec, stages, max_retry_count, attempt, worker_id, lease_until, deadline_at)
       select id - n, id - n, knowledge_base_id, plan_id, task_type, 2, current_stage, trigger_source,
              strategy_snapshot, build_spec, stages, max_retry_count, 1, 'w', now() - interval '9 s', now() - interval '1 h'
         from task, generate_series(1, 150) n where id = $1
       returning id`,
      [held.id],
    );
    broken = copies.map(({ id }) => id);
    await db.database.query(
      `create function refuse_change() returns trigger language plpgsql as $$ begin raise 'broken row'; end $$`,
    );
    await db.database.query(
      `create trigger broken before update on task for each row when (old.id < ${held.id}) execute function refuse_change()`,
    );
  });
  afterEach(async () => {
    await db.database.query('drop function refuse_change cascade');
    await db.database.query('delete from task where id = any($1)', [broken]);
  });

  /** Runs come to an end after about a second each, and go on where the one before stood. */
  const untilReached = async (runs: () => Promise<unknown>) => {
    for (let i = 0; i < 10 && (await row('task', held.id))?.task_status === TaskStatus.Running; i += 1) await runs();
  };

  it('do not keep the one behind them from being taken back', async () => {
    await db.database.query(`update task set lease_until = now() - interval '1 s' where id = $1`, [held.id]);
    const { upkeep, failures } = repositories;
    const takeBack = new TakeBackExpired(db.database, upkeep, failures, silentLogger, 1_000);
    await untilReached(() => takeBack.runOnce());
    expect(await row('task', held.id)).toMatchObject({ task_status: TaskStatus.Retrying });
  });

  it('do not keep the one behind them from being ended', async () => {
    await late('11 seconds');
    await untilReached(() => pass.runOnce());
    expect(await row('task', held.id)).toMatchObject({ task_status: TaskStatus.Timeout });
  });
});

describe('ending what is over its limit', () => {
  it('ends an attempt whose worker beats on and hangs', async () => {
    await late('11 seconds');
    expect(await pass.runOnce()).toMatchObject({ timedOut: 1 });
    expect(await row('task', held.id)).toMatchObject({
      task_status: TaskStatus.Timeout,
      finished_at: expect.any(Date),
      worker_id: null,
      error: { code: 'TIME_LIMIT', stage: held.currentStage, attempt: 1, retryable: true },
    });
    expect(await row('document', planted.documentId)).toMatchObject({ index_status: 4, error: { code: 'TIME_LIMIT' } });
    expect(await db.database.query('select code from dead_letter where task_id = $1', [held.id])).toEqual([
      { code: 'TIME_LIMIT' },
    ]);
    expect(await repositories.leases.extend([held], 60_000)).toEqual([]);
    expect(await pass.runOnce()).toMatchObject({ timedOut: 0 });
  });

  it('leaves its worker the grace to end it by itself', async () => {
    await late('9 seconds');
    expect(await repositories.overdue.find(10_000, '0', 1_000)).not.toContainEqual(
      expect.objectContaining({ taskId: held.id }),
    );
    expect(await pass.runOnce()).toMatchObject({ timedOut: 0 });
  });

  it('leaves a task alone that went on, or on to another attempt, after it was found', async () => {
    await late('11 seconds');
    const [found] = await repositories.overdue.find(10_000, '0', 10);
    if (!found) throw new Error('nothing was found');
    const end = () =>
      db.database.transaction((tx) =>
        repositories.overdue.end(tx, found, 10_000, { code: 'TIME_LIMIT', message: 'late' }),
      );
    await db.database.query('update task set attempt = 2 where id = $1', [held.id]);
    expect(await end()).toBeUndefined();
    await db.database.query(`update task set attempt = 1, deadline_at = now() where id = $1`, [held.id]);
    expect(await end()).toBeUndefined();
    expect(await row('task', held.id)).toMatchObject({ task_status: TaskStatus.Running });
  });

  it('never overrules a worker that completes at the same moment', async () => {
    await late('11 seconds');
    const completed = gate();
    const locked = gate();
    const worker = db.database.transaction(async (tx) => {
      await repositories.leases.fence(tx, held);
      await repositories.leases.release(tx, held.id, finish);
      locked.resolve();
      await completed.promise;
    });
    await locked.promise;
    const swept = pass.runOnce();
    // The sweeper has found it and stands at the row that the worker is about to commit.
    await untilBlocked();
    completed.resolve();
    await worker;
    expect(await swept).toMatchObject({ timedOut: 0 });
    expect(await row('task', held.id)).toMatchObject({ task_status: TaskStatus.Success, error: null });
  });
});
