import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../domain/clock.js';
import { CancelTask } from '../../builds/cancel-task.js';
import { repositoriesOn, type Repositories } from '../../composition/repositories.js';
import { AppError } from '../../domain/errors.js';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { TaskType } from '../../domain/task/task-type.js';
import { silentLogger } from '../../logging/logger.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../factories.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { LeaseKeeper } from '../../worker/lease-keeper.js';
import { TaskReporter } from '../../worker/task-reporter.js';
import type { TaskRun } from '../../worker/task-run.js';
import { TaskWalker } from '../../worker/task-walker.js';
import type { TimeLimits } from '../../worker/time-limits.js';
import { OverLimit, TaskLost, WorkerStopping, type Closing } from '../../worker/work-result.js';
import { Worker } from '../../worker/worker.js';

const ample: TimeLimits = {
  stageMs: 60_000,
  parseMsPerMillion: 0,
  cutMsPerMillion: 0,
  embedMsPerMillion: 0,
  attemptMs: 60_000,
  heedMs: 1,
  readingMs: 0,
};
const done: Closing = () => Promise.resolve();

let db: TestDatabase;
let repositories: Repositories;
let planted: PlantedDocument;
let taskId: Id;
let keeper: LeaseKeeper;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  repositories = repositoriesOn(db.database, testIds);
});
afterAll(() => db.close());
beforeEach(async () => {
  planted = await plantDocument(db.database);
  taskId = await plantTask(db.database, planted);
  keeper = new LeaseKeeper(repositories.leases, 60_000, silentLogger);
});

/** A worker whose last stage is `last`; the stages before it have nothing to do. */
function workerDoing(last: (run: TaskRun) => Promise<Closing>, limits: TimeLimits = ample): Worker {
  const nothing = (): Promise<void> => Promise.resolve();
  const walker = new TaskWalker(
    new Map([
      [
        TaskType.BuildIndex,
        [
          { stage: Stage.ChunkExecute, run: nothing },
          { stage: Stage.Vectorize, run: nothing },
          { stage: Stage.IndexWrite, run: last },
        ],
      ],
    ]),
    { database: db.database, ...repositories, clock: systemClock },
    limits,
  );
  const policy = { retryDelayMs: 60_000, retryDelayMaxMs: 60_000 };
  const reporter = new TaskReporter({ ...repositories, policy, random: () => 0, logger: silentLogger });
  return new Worker({ keeper, walker, reporter, logger: silentLogger }, 1_000);
}

async function claimed() {
  const outcome = await repositories.leases.claim(taskId, 'w', 60_000);
  if (outcome.type !== 'claimed') throw new Error(outcome.reason);
  return outcome.task;
}

const one = async (table: string, id: Id) =>
  (await db.database.query<Record<string, unknown>>(`select * from ${table} where id = $1`, [id]))[0];
const task = () => one('task', taskId);
const document = () => one('document', planted.documentId);
const change = (assignments: string) => db.database.query(`update task set ${assignments} where id = $1`, [taskId]);
const letters = () =>
  db.database.query('select kind, code, attempt, state from dead_letter where task_id = $1', [taskId]);
const events = async () =>
  (
    await db.database.query<{ event: string }>('select event from task_log where task_id = $1 order by id', [taskId])
  ).map(({ event }) => event);

/** Ends as an aborted part does: when it is told to, with an error of its own. */
async function untilAborted({ signal }: TaskRun): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw new Error('the child process was killed');
}

describe('a stage over its limit', () => {
  beforeEach(() => change(`current_stage = ${Stage.IndexWrite}`));

  it('ends the task as TIMEOUT with the reason, and its document as failed, while the old version serves', async () => {
    await db.database.query('update document set active_version_id = 5 where id = $1', [planted.documentId]);
    await workerDoing(untilAborted, { ...ample, stageMs: 30 }).execute(await claimed());
    expect(await task()).toMatchObject({
      task_status: TaskStatus.Timeout,
      retry_count: 0,
      finished_at: expect.any(Date),
      worker_id: null,
      error: {
        code: 'TIME_LIMIT',
        message: 'The stage INDEX_WRITE took longer than 1 s.',
        stage: Stage.IndexWrite,
        attempt: 1,
        retryable: true,
      },
    });
    expect(await document()).toMatchObject({
      index_status: 4,
      active_version_id: '5',
      error: { code: 'TIME_LIMIT' },
    });
    expect((await events()).at(-1)).toBe('TIMEOUT');
    expect(await letters()).toMatchObject([{ kind: 'TASK', code: 'TIME_LIMIT', attempt: 1 }]);
  });

  it('is told apart from an attempt that is over its own', async () => {
    await workerDoing(untilAborted, { ...ample, attemptMs: 30 }).execute(await claimed());
    expect(await task()).toMatchObject({ error: { message: 'The attempt took longer than 1 s.' } });
  });

  it('counts anew in each stage, and not once the work is done', async () => {
    const worker = workerDoing(async () => {
      const [row] = await db.database.query<{ left: string }>(
        'select extract(epoch from deadline_at - clock_timestamp()) as left from task where id = $1',
        [taskId],
      );
      expect(Number(row?.left)).toBeGreaterThan(50);
      return done;
    });
    await worker.execute(await claimed());
    expect(await task()).toMatchObject({ task_status: TaskStatus.Success, error: null });
  });
});

describe('an attempt that fails', () => {
  it('is tried again later if that can help, with the reason on the row', async () => {
    await workerDoing(() => {
      throw new AppError('EMBEDDING_FAILED', 'The embedding process was killed by SIGTRAP.');
    }).execute(await claimed());
    expect(await task()).toMatchObject({
      task_status: TaskStatus.Retrying,
      current_stage: Stage.IndexWrite,
      retry_count: 1,
      next_retry_at: expect.any(Date),
      error: { code: 'EMBEDDING_FAILED', stage: Stage.IndexWrite, attempt: 1, retryable: true },
    });
    expect(await document()).toMatchObject({ index_status: 2 });
    expect(await letters()).toEqual([]);
    expect(await repositories.leases.claim(taskId, 'w', 1_000)).toEqual({ type: 'refused', reason: 'not-due' });
    await change('next_retry_at = now()');
    // The next attempt goes on where this one stood, and its row still says why there is one.
    expect(await claimed()).toMatchObject({ attempt: 2, currentStage: Stage.IndexWrite });
    expect(await task()).toMatchObject({ error: { code: 'EMBEDDING_FAILED', attempt: 1 } });
  });

  it('ends the task when no retries are left, with a dead letter', async () => {
    await change('retry_count = max_retry_count');
    await workerDoing(() => Promise.reject(new AppError('EMBEDDING_FAILED', 'again'))).execute(await claimed());
    expect(await task()).toMatchObject({ task_status: TaskStatus.Failed, error: { code: 'EMBEDDING_FAILED' } });
    expect(await document()).toMatchObject({ index_status: 4 });
    expect(await letters()).toEqual([{ kind: 'TASK', code: 'EMBEDDING_FAILED', attempt: 1, state: 'OPEN' }]);
  });

  it('ends the task at once, and leaves no dead letter, if the source is at fault', async () => {
    await workerDoing(() => Promise.reject(new AppError('CHUNK_LIMIT', 'too long'))).execute(await claimed());
    expect(await task()).toMatchObject({ task_status: TaskStatus.Failed, error: { code: 'CHUNK_LIMIT' } });
    expect(await letters()).toEqual([]);
  });

  it('ends the task at once, without a word of the stack, if it is a bug', async () => {
    await workerDoing(() => Promise.reject(new TypeError('cannot read secrets of undefined'))).execute(await claimed());
    const row = await task();
    expect(row).toMatchObject({ task_status: TaskStatus.Failed, error: { code: 'INTERNAL_ERROR', retryable: false } });
    expect(JSON.stringify(row?.['error'])).not.toContain('secrets');
  });

  it('is given back, and is no retry, when the worker stops', async () => {
    const attempt = workerDoing((run) => {
      keeper.giveBackAll();
      return untilAborted(run);
    }).execute(await claimed());
    await attempt;
    expect(await task()).toMatchObject({ task_status: TaskStatus.Retrying, retry_count: 0 });
    expect(await claimed()).toMatchObject({ attempt: 2 });
  });
});

describe('a worker that lost its task', () => {
  it('stops at its next write and leaves all to the one that has it', async () => {
    let error: unknown;
    await workerDoing(async (run) => {
      await change(`attempt = 2, worker_id = 'other'`);
      return run
        .write(() => change('retry_count = 3'))
        .catch((thrown: unknown) => {
          error = thrown;
          throw thrown;
        }) as never;
    }).execute(await claimed());
    expect(error).toBeInstanceOf(TaskLost);
    expect(await task()).toMatchObject({ task_status: TaskStatus.Running, worker_id: 'other', retry_count: 0 });
    expect((await events()).filter((event) => event !== 'STAGE_STARTED')).toEqual(['CLAIMED']);
  });

  it.each<readonly [string, () => Promise<Closing>]>([
    ['a success', () => Promise.resolve(done)],
    ['a failure that may pass', () => Promise.reject(new AppError('EMBEDDING_FAILED', 'm'))],
    ['a failure for good', () => Promise.reject(new AppError('ENCRYPTED', 'm'))],
    ['work given back', () => Promise.reject(new WorkerStopping())],
    ['work over its limit', () => Promise.reject(new OverLimit('m'))],
  ])('reports no end of it: %s', async (_, end) => {
    await workerDoing(async () => {
      await change(`attempt = 2, worker_id = 'other'`);
      return end();
    }).execute(await claimed());
    expect(await task()).toMatchObject({
      task_status: TaskStatus.Running,
      attempt: 2,
      worker_id: 'other',
      error: null,
    });
    expect((await events()).filter((event) => event !== 'STAGE_STARTED')).toEqual(['CLAIMED']);
  });

  it('stops in the middle of long work at the heartbeat after a cancel', async () => {
    const cancel = new CancelTask(db.database, repositories.commands);
    await workerDoing(async (run) => {
      await cancel.cancel(defaultTenant, taskId);
      await keeper.beat();
      return untilAborted(run);
    }).execute(await claimed());
    expect(await task()).toMatchObject({ task_status: TaskStatus.Cancelled, error: null });
    expect((await events()).at(-1)).toBe('CANCELLED');
  });

  it('frees its slot and writes nothing more, even if its work hangs', async () => {
    let hung: TaskRun | undefined;
    await workerDoing(async (run) => {
      hung = run;
      await change('attempt = 2');
      await keeper.beat();
      return new Promise(() => undefined);
    }).execute(await claimed());
    await expect(hung?.write(() => change('retry_count = 3'))).rejects.toBeInstanceOf(TaskLost);
    expect(await task()).toMatchObject({ task_status: TaskStatus.Running, attempt: 2, retry_count: 0 });
  });
});
