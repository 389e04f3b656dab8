import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { TaskType } from '../../domain/task/task-type.js';
import { plantDocument, plantTask, type PlantedDocument } from '../../testing/factories.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { TaskLeaseRepository, type ClaimedTask } from './task-lease-repository.js';
import { UpkeepRepository } from './upkeep-repository.js';

let db: TestDatabase;
let leases: TaskLeaseRepository;
let upkeep: UpkeepRepository;
let planted: PlantedDocument;
let taskId: Id;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  leases = new TaskLeaseRepository(db.database);
  upkeep = new UpkeepRepository(db.database);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.database.query(`update task set task_status = 7, finished_at = now() where task_status in (1, 2, 5)`);
  planted = await plantDocument(db.database);
  taskId = await plantTask(db.database, planted);
});

async function claimed(worker = 'w1', leaseMs = 60_000): Promise<ClaimedTask> {
  const outcome = await leases.claim(taskId, worker, leaseMs);
  if (outcome.type !== 'claimed') throw new Error(`refused: ${outcome.reason}`);
  return outcome.task;
}

const row = async () =>
  (await db.database.query<Record<string, unknown>>('select * from task where id = $1', [taskId]))[0];
const change = (assignments: string) => db.database.query(`update task set ${assignments} where id = $1`, [taskId]);
const events = async () =>
  (
    await db.database.query<{ event: string }>('select event from task_log where task_id = $1 order by id', [taskId])
  ).map(({ event }) => event);

describe('looking for what may be claimed', () => {
  it.each([
    ['was just sent', 'sent_at = now()'],
    ['is not due', `task_status = 5, next_retry_at = now() + interval '1 hour'`],
    ['is held', `task_status = 2, attempt = 1, lease_until = now() + interval '1 hour'`],
    ['is out of retries', `task_status = 2, attempt = 1, lease_until = now() - interval '1 hour', max_retry_count = 0`],
  ])('passes over what %s', async (_, assignments) => {
    await change(`sent_at = now() - interval '1 hour'`);
    expect(await leases.claimable([TaskType.BuildIndex], 3_000, 10)).toEqual([taskId]);
    await change(assignments);
    expect(await leases.claimable([TaskType.BuildIndex], 3_000, 10)).toEqual([]);
  });
});

describe('claiming a task', () => {
  it('gives a new task to exactly one of ten claims, with the next attempt number', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => leases.claim(taskId, `w${i}`, 60_000)));
    expect(outcomes.filter(({ type }) => type === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.type === 'refused' && outcome.reason === 'held')).toHaveLength(9);
    expect(await row()).toMatchObject({ attempt: 1, task_status: TaskStatus.Running, retry_count: 0 });
    expect(await events()).toEqual(['CLAIMED']);
  });

  it('says why a message leads to no work', async () => {
    expect(await leases.claim('9007199254740993', 'w', 1_000)).toEqual({ type: 'refused', reason: 'unknown' });
    await change(`task_status = 5, next_retry_at = now() + interval '1 hour'`);
    expect(await leases.claim(taskId, 'w', 1_000)).toEqual({ type: 'refused', reason: 'not-due' });
    await change('task_status = 7, next_retry_at = null, finished_at = now()');
    expect(await leases.claim(taskId, 'w', 1_000)).toEqual({ type: 'refused', reason: 'finished' });
  });

  it('takes over a task whose lease ended, as a retry', async () => {
    await claimed('dead');
    await change(`lease_until = now() - interval '1 second'`);
    expect(await claimed('alive')).toMatchObject({ attempt: 2, retryCount: 1 });
    expect(await row()).toMatchObject({ error: { code: 'WORKER_LOST', stage: 4, attempt: 1, retryable: true } });
    expect(await events()).toEqual(['CLAIMED', 'LEASE_LOST', 'CLAIMED']);
  });

  it('gives a task whose lease ended to exactly one of ten claims', async () => {
    await claimed('dead');
    await change(`lease_until = now() - interval '1 second'`);
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => leases.claim(taskId, `w${i}`, 60_000)));
    expect(outcomes.filter(({ type }) => type === 'claimed')).toHaveLength(1);
    expect(await events()).toEqual(['CLAIMED', 'LEASE_LOST', 'CLAIMED']);
  });

  it('tells how large the source and the text of the task are', async () => {
    await db.database.query(
      `insert into document_text (document_id, revision, char_length, block_count, source_hash, parser_version, normaliser_version)
       values ($1, 1, 1234, 1, 'h', 1, 1)`,
      [planted.documentId],
    );
    expect(await claimed()).toMatchObject({ sourceBytes: 10, textChars: 1_234 });
  });

  it('leaves a task whose lease ended alone when no retries are left', async () => {
    await claimed('dead');
    await change(`lease_until = now() - interval '1 second', retry_count = max_retry_count`);
    expect(await leases.claim(taskId, 'w', 1_000)).toEqual({ type: 'refused', reason: 'held' });
  });
});

describe('fencing a task', () => {
  it('lets the attempt that holds it write, and no earlier one', async () => {
    const old = await claimed('old');
    await change(`lease_until = now() - interval '1 second'`);
    const fresh = await claimed('fresh');
    const fence = (task: ClaimedTask) => db.database.transaction((tx) => leases.fence(tx, task));
    expect(await fence(fresh)).toBe(true);
    expect(await fence(old)).toBe(false);
    await change('task_status = 7, finished_at = now()');
    expect(await fence(fresh)).toBe(false);
  });

  it('extends only the leases that are still held', async () => {
    const task = await claimed();
    expect(await leases.extend([task, { id: '5', attempt: 1 }], 60_000)).toEqual([task.id]);
    expect(await leases.extend([{ ...task, attempt: task.attempt + 1 }], 60_000)).toEqual([]);
  });
});

describe('a fenced transaction', () => {
  it('has the task to itself until it ends', async () => {
    const held = await claimed();
    const outside = AsyncLocalStorage.snapshot();
    const ask = () => db.database.query('select 1 from task where id = $1 for update nowait', [taskId]);
    await db.database.transaction(async (tx) => {
      expect(await leases.fence(tx, held)).toBe(true);
      await expect(outside(ask)).rejects.toMatchObject({ code: '55P03' });
    });
    expect(await ask()).toHaveLength(1);
  });

  it('moves its task only where the table of moves leads', async () => {
    const ending = { status: TaskStatus.Success, stages: [], error: null, countsAsRetry: false };
    await expect(db.database.transaction((tx) => leases.release(tx, taskId, ending))).rejects.toThrow('could not move');
    expect(await row()).toMatchObject({ task_status: TaskStatus.New });
  });
});

describe('taking back tasks of silent workers', () => {
  const takeBack = () =>
    db.database.transaction((tx) => upkeep.takeBack(tx, taskId, { code: 'WORKER_LOST', message: 'silent' }));
  const expire = () => change(`lease_until = now() - interval '1 second'`);

  it('makes it due at once while retries are left, with the reason on the row', async () => {
    await claimed();
    await expire();
    expect(await upkeep.expired('0', 10)).toEqual([{ taskId, documentId: planted.documentId }]);
    expect(await takeBack()).toMatchObject({ id: taskId, outOfRetries: false });
    expect(await row()).toMatchObject({
      task_status: TaskStatus.Retrying,
      retry_count: 1,
      error: { code: 'WORKER_LOST', stage: 4, attempt: 1, retryable: true },
    });
    expect(await events()).toEqual(['CLAIMED', 'LEASE_LOST']);
    expect((await upkeep.takeDueRetries(60_000, 10)).map(({ id }) => id)).toEqual([taskId]);
    expect(await upkeep.takeDueRetries(60_000, 10)).toEqual([]);
  });

  it('ends in TIMEOUT when no retries are left', async () => {
    await claimed();
    await change(`lease_until = now() - interval '1 second', retry_count = max_retry_count`);
    expect(await takeBack()).toMatchObject({ outOfRetries: true });
    expect(await row()).toMatchObject({ task_status: TaskStatus.Timeout, finished_at: expect.any(Date) });
    expect(await events()).toEqual(['CLAIMED', 'TIMEOUT']);
  });

  it('leaves a task alone that was extended or finished in the meantime', async () => {
    const task = await claimed();
    await expire();
    await leases.extend([task], 60_000);
    expect(await takeBack()).toBeUndefined();
    await db.database.transaction((tx) =>
      leases.release(tx, taskId, { status: TaskStatus.Success, stages: [], error: null, countsAsRetry: false }),
    );
    expect(await takeBack()).toBeUndefined();
    expect(await row()).toMatchObject({ task_status: TaskStatus.Success });
  });
});

describe('sending unclaimed tasks again', () => {
  const age = (ms: number) => change(`sent_at = now() - interval '${ms} ms'`);
  const taken = async () => (await upkeep.takeUnclaimed(1_000, 10)).map(({ id }) => id);

  it('waits twice as long after each sending', async () => {
    expect(await taken()).toEqual([]);
    await age(1_500);
    expect(await taken()).toEqual([taskId]);
    await age(1_500);
    expect(await taken()).toEqual([]);
    await age(2_500);
    expect(await taken()).toEqual([taskId]);
  });

  it('gives each task to one of several callers', async () => {
    await age(1_500);
    const all = await Promise.all([taken(), taken(), taken()]);
    expect(all.flat()).toEqual([taskId]);
  });

  it('lets one caller at a time run a pass', async () => {
    const ticks = await Promise.all(Array.from({ length: 4 }, () => upkeep.claimTick('some-pass', 60_000)));
    expect(ticks.filter(Boolean)).toHaveLength(1);
  });
});
