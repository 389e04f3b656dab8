import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { TaskLeaseRepository, type ClaimedTask } from '../database/repositories/task-lease-repository.js';
import { defaultTenant, type Id } from '../domain/ids/id.js';
import { codeOf } from '../testing/code-of.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../testing/factories.js';
import { ScriptedPublisher } from '../testing/scripted-publisher.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { CancelTask } from './cancel-task.js';
import { RetryTask } from './retry-task.js';

let db: TestDatabase;
let planted: PlantedDocument;
let taskId: Id;
let publisher: ScriptedPublisher;
let leases: TaskLeaseRepository;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  leases = new TaskLeaseRepository(db.database);
});
afterAll(() => db.close());
beforeEach(async () => {
  publisher = new ScriptedPublisher();
  planted = await plantDocument(db.database);
  taskId = await plantTask(db.database, planted);
});

const one = async (sql: string, id: Id) => (await db.database.query<Record<string, unknown>>(sql, [id]))[0];
const task = () => one('select * from task where id = $1', taskId);
const document = () => one('select * from document where id = $1', planted.documentId);
const events = async () =>
  (
    await db.database.query<{ event: string }>('select event from task_log where task_id = $1 order by id', [taskId])
  ).map(({ event }) => event);
const change = (table: string, assignments: string, id: Id) =>
  db.database.query(`update ${table} set ${assignments} where id = $1`, [id]);

async function claimed(): Promise<ClaimedTask> {
  const outcome = await leases.claim(taskId, 'w', 60_000);
  if (outcome.type !== 'claimed') throw new Error(outcome.reason);
  return outcome.task;
}

describe('cancelling a task', () => {
  const cancel = (id = taskId, tenant = defaultTenant) =>
    codeOf(new CancelTask(db.database, new TaskCommandRepository()).cancel(tenant, id, '7'));

  it('ends a waiting task at once, and its document can be built again', async () => {
    expect(await cancel()).toBe('done');
    expect(await task()).toMatchObject({ task_status: 7, finished_at: expect.any(Date) });
    expect(await document()).toMatchObject({ index_status: 1, error: null });
    expect(await events()).toEqual(['CANCELLED']);
    expect(await leases.claim(taskId, 'w', 1_000)).toEqual({ type: 'refused', reason: 'finished' });
  });

  it('takes a running task out of its worker’s hands', async () => {
    const held = await claimed();
    expect(await cancel()).toBe('done');
    expect(await db.database.transaction((tx) => leases.fence(tx, held))).toBe(false);
    expect(await leases.extend([held], 60_000)).toEqual([]);
  });

  it('leaves the document BUILT while an older version serves', async () => {
    await change('document', 'active_version_id = 5', planted.documentId);
    expect(await cancel()).toBe('done');
    expect(await document()).toMatchObject({ index_status: 3, active_version_id: '5' });
  });

  it('puts steps that were running back to where they wait', async () => {
    await db.database.query('update strategy_step set execute_status = 2 where plan_id = $1', [planted.planId]);
    await cancel();
    expect(
      await db.database.query('select distinct execute_status as s from strategy_step where plan_id = $1', [
        planted.planId,
      ]),
    ).toEqual([{ s: 1 }]);
  });

  it('ends a parse with the reason on the document', async () => {
    await change('task', 'task_type = 1, current_stage = 2', taskId);
    await change('document', 'parse_status = 2, index_status = 1', planted.documentId);
    expect(await cancel()).toBe('done');
    expect(await document()).toMatchObject({ parse_status: 4, error: { code: 'CANCELLED' } });
  });

  it('refuses tasks that are over, unknown, or of another tenant', async () => {
    await cancel();
    expect(await cancel()).toBe('TASK_FINISHED');
    expect(await cancel('9007199254740993')).toBe('TASK_NOT_FOUND');
    expect(await cancel(taskId, '7')).toBe('TASK_NOT_FOUND');
  });
});

describe('retrying a task', () => {
  const retry = () =>
    codeOf(new RetryTask(db.database, new TaskCommandRepository(), publisher, 1_000).retry(defaultTenant, taskId, '7'));
  const fail = async () => {
    await change(
      'task',
      `task_status = 4, finished_at = now(), retry_count = 3, attempt = 4, current_stage = 5`,
      taskId,
    );
    await change(
      'document',
      `index_status = 4, error = '{"code":"EMBEDDING_FAILED","message":"m"}'`,
      planted.documentId,
    );
  };

  it('makes a failed task due again where it failed, and sends it', async () => {
    await fail();
    expect(await retry()).toBe('done');
    expect(await task()).toMatchObject({
      task_status: 5,
      retry_count: 0,
      attempt: 4,
      current_stage: 5,
      finished_at: null,
    });
    expect(await document()).toMatchObject({ index_status: 2, error: null });
    expect(await events()).toEqual(['RETRY_REQUESTED']);
    expect(publisher.sent.map(({ value }) => value.taskId)).toEqual([taskId]);
    expect(await claimed()).toMatchObject({ attempt: 5, currentStage: 5 });
  });

  it('changes nothing when the broker refuses', async () => {
    await fail();
    publisher.refuse();
    expect(await retry()).toBe('BROKER_UNAVAILABLE');
    expect(await task()).toMatchObject({ task_status: 4, retry_count: 3 });
    expect(await events()).toEqual([]);
  });

  it('gives one of five simultaneous retries the task', async () => {
    await fail();
    const outcomes = await Promise.all(Array.from({ length: 5 }, retry));
    expect(outcomes.sort()).toEqual([
      'TASK_NOT_RETRYABLE',
      'TASK_NOT_RETRYABLE',
      'TASK_NOT_RETRYABLE',
      'TASK_NOT_RETRYABLE',
      'done',
    ]);
    expect(publisher.sent).toHaveLength(1);
  });

  it('refuses in the documented order', async () => {
    expect(await retry()).toBe('TASK_NOT_RETRYABLE');
    await fail();
    const newer = await plantTask(db.database, planted);
    expect(await retry()).toBe('BUILD_IN_PROGRESS');
    await change('task', 'task_status = 7, finished_at = now()', newer);
    expect(await retry()).toBe('TASK_SUPERSEDED');
    await db.database.query('delete from task where id = $1', [newer]);
    await change('document', `current_plan_id = ${testIds.next()}`, planted.documentId);
    expect(await retry()).toBe('TASK_SUPERSEDED');
    await change('document', `current_plan_id = ${planted.planId}, source_hash = repeat('b', 64)`, planted.documentId);
    expect(await retry()).toBe('TASK_SUPERSEDED');
    await change('document', `source_hash = repeat('a', 64), deleted_at = now()`, planted.documentId);
    expect(await retry()).toBe('TASK_SUPERSEDED');
    await change('document', 'deleted_at = null', planted.documentId);
    expect(await retry()).toBe('done');
  });
});
