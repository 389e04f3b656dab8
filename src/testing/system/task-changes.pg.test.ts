import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../domain/clock.js';
import { repositoriesOn } from '../../composition/repositories.js';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { Actor, TaskType } from '../../domain/task/task-type.js';
import { presentTrace } from '../../tracing/trace-scope.js';
import { plantDocument, plantTask, testIds, testSpec, type PlantedDocument } from '../factories.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { TaskRun } from '../../worker/task-run.js';
import type { TransactionContext } from '../../database/database.js';

let db: TestDatabase;
let parts: ReturnType<typeof repositoriesOn>;
let planted: PlantedDocument;
let taskId: Id;
let told: Id[];

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  parts = repositoriesOn(db.database, testIds);
});
afterAll(() => db.close());
beforeEach(async () => {
  planted = await plantDocument(db.database);
  taskId = await plantTask(db.database, planted);
  told = [];
  db.database.onTaskChange((change) => told.push(change.taskId));
});

const within = (work: (tx: TransactionContext) => Promise<unknown>) => db.database.transaction(work);
const change = (assignments: string) => db.database.query(`update task set ${assignments} where id = $1`, [taskId]);

describe('whoever listens is told when a task', () => {
  it('is accepted', async () => {
    const other = await plantDocument(db.database);
    const task = {
      ...other,
      id: testIds.next(),
      tenantId: defaultTenant,
      taskType: TaskType.BuildIndex,
      currentStage: Stage.ChunkExecute,
      priority: TaskPriority.Interactive,
      triggerSource: Actor.System,
      strategySnapshot: 'PARENT:1;CHILD:2',
      buildSpec: testSpec,
      maxRetryCount: 3,
      trace: presentTrace(),
    };
    await within((tx) => parts.acceptances.accept(tx, task, testSpec));
    expect(told).toEqual([task.id]);
  });

  it('is claimed, and not when the claim is refused', async () => {
    await parts.leases.claim(taskId, 'w', 60_000);
    await parts.leases.claim(taskId, 'w', 60_000);
    expect(told).toEqual([taskId]);
  });

  it('moves on in the hands of its worker', async () => {
    const outcome = await parts.leases.claim(taskId, 'w', 60_000);
    if (outcome.type !== 'claimed') throw new Error(outcome.reason);
    const run = new TaskRun(outcome.task, new AbortController().signal, {
      database: db.database,
      ...parts,
      clock: systemClock,
    });
    await run.write((tx) => run.advance(tx, 1, 2));
    expect(told).toEqual([taskId, taskId]);
  });

  it('is taken back', async () => {
    await parts.leases.claim(taskId, 'w', 60_000);
    await change(`lease_until = clock_timestamp() - interval '1 s'`);
    await within((tx) => parts.upkeep.takeBack(tx, taskId, { code: 'WORKER_LOST', message: 'lost' }));
    expect(told).toEqual([taskId, taskId]);
  });

  it('is cancelled', async () => {
    await within((tx) => parts.commands.cancel(tx, defaultTenant, planted));
    expect(told).toEqual([taskId]);
  });

  it('is retried by a person', async () => {
    await change(`task_status = 4, finished_at = clock_timestamp()`);
    await within(async (tx) => {
      const facts = await parts.commands.retryFacts(tx, defaultTenant, taskId);
      await parts.commands.retry(tx, defaultTenant, facts, presentTrace());
    });
    expect(told).toEqual([taskId]);
  });

  it('gets another line in its log', async () => {
    const line = { tenantId: defaultTenant, taskId, stage: Stage.ChunkExecute, event: TaskEvent.Start };
    await within((tx) => parts.logs.append(tx, line));
    expect(told).toEqual([taskId]);
  });
});
