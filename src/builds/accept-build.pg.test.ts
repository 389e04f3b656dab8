import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { postgresConnection } from '../database/connection.js';
import { createDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { BuildAcceptanceRepository } from '../database/repositories/build-acceptance-repository.js';
import { TaskRepository } from '../database/repositories/task-repository.js';
import { AppError } from '../domain/errors.js';
import { defaultTenant, type Id } from '../domain/ids/id.js';
import { PlanStatus } from '../domain/plan/plan-status.js';
import { silentLogger } from '../logging/logger.js';
import { CuttingProxy } from '../testing/cutting-proxy.js';
import { plantDocument, plantPlan, testIds, testSpec, type PlantedDocument } from '../testing/factories.js';
import { ScriptedPublisher } from '../testing/scripted-publisher.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { AcceptBuild, type AcceptedBuild, type BuildRequest } from './accept-build.js';
import { CheckBuild } from './check-build.js';
import { SendGate } from './send-gate.js';

let db: TestDatabase;
let publisher: ScriptedPublisher;
let planted: PlantedDocument;

const judgePlan: ConstructorParameters<typeof CheckBuild>[2] = (plan) =>
  plan?.planStatus === PlanStatus.Confirmed
    ? []
    : [{ path: 'planId', code: 'NOT_CONFIRMED', message: 'not confirmed' }];

function acceptance(database = db.database): AcceptBuild {
  return new AcceptBuild(
    {
      database,
      acceptances: new BuildAcceptanceRepository(),
      tasks: new TaskRepository(database),
      publisher,
      gate: new SendGate(6),
      ids: testIds,
      judgePlan,
      freezeSpec: () => testSpec,
    },
    { sendDeadlineMs: 3_000, maxRetryCount: 3 },
  );
}

const request = (more: Partial<BuildRequest> = {}): BuildRequest => ({
  tenantId: defaultTenant,
  documentId: planted.documentId,
  planId: planted.planId,
  ...more,
});

/** The code that an acceptance is refused with, or the accepted task. */
async function outcome(promise: Promise<AcceptedBuild>): Promise<string> {
  try {
    return `accepted ${(await promise).taskId}`;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function rows(sql: string, id: Id = planted.documentId): Promise<Record<string, unknown>[]> {
  return db.database.query<Record<string, unknown>>(sql, [id]);
}

const leftovers = async () => ({
  tasks: await rows('select id from task where document_id = $1'),
  logs: await rows('select l.id from task_log l join task t on t.id = l.task_id where t.document_id = $1'),
  index: (await rows('select index_status from document where id = $1'))[0]?.['index_status'],
});
const nothing = { tasks: [], logs: [], index: 1 };

/** Until a session of this database waits for a lock of another one. */
async function untilSomebodyWaits(): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await db.database.query(waiting)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
});
afterAll(() => db.close());
beforeEach(async () => {
  publisher = new ScriptedPublisher();
  planted = await plantDocument(db.database);
});

describe('accepting a build', () => {
  it('freezes the plan on the task, moves the document, logs START and sends the three ids', async () => {
    const build = await acceptance().accept(request({ operatorId: '4711' }));
    expect(build).toMatchObject({ strategySnapshot: 'PARENT:1;CHILD:2', taskType: 2, taskStatus: 1, indexStatus: 2 });
    expect(await rows('select * from task where document_id = $1')).toEqual([
      expect.objectContaining({
        id: build.taskId,
        plan_id: planted.planId,
        task_status: 1,
        current_stage: 4,
        trigger_source: 1,
        operator_id: '4711',
        strategy_snapshot: 'PARENT:1;CHILD:2',
        build_spec: testSpec,
        retry_count: 0,
        attempt: 0,
      }),
    ]);
    expect((await leftovers()).index).toBe(2);
    expect(
      await rows('select event, stage, actor, operator_id, metadata from task_log where task_id = $1', build.taskId),
    ).toEqual([
      {
        event: 'START',
        stage: 4,
        actor: 1,
        operator_id: '4711',
        metadata: { planId: planted.planId, strategySnapshot: 'PARENT:1;CHILD:2' },
      },
    ]);
    expect(publisher.sent).toEqual([
      expect.objectContaining({
        topic: 'document-index-build',
        key: planted.documentId,
        value: { documentId: planted.documentId, taskId: build.taskId, planId: planted.planId },
      }),
    ]);
  });

  it('counts as the system without an operator', async () => {
    expect((await acceptance().accept(request())).triggerSource).toBe(2);
  });

  it('holds the transaction open until the broker has answered', async () => {
    let release: () => void = () => undefined;
    const sending = new Promise<void>((entered) => {
      publisher.onPublish = () => {
        entered();
        return new Promise((resolve) => (release = resolve));
      };
    });
    const accepting = outcome(acceptance().accept(request()));
    await sending;
    expect((await leftovers()).tasks).toEqual([]);
    release();
    expect(await accepting).toMatch('accepted');
    expect((await leftovers()).tasks).toHaveLength(1);
  });

  it('leaves nothing behind when the broker refuses, and works again afterwards', async () => {
    publisher.refuse();
    expect(await outcome(acceptance().accept(request()))).toBe('BROKER_UNAVAILABLE');
    expect(await leftovers()).toEqual(nothing);
    publisher.onPublish = () => Promise.resolve();
    expect(await outcome(acceptance().accept(request()))).toMatch('accepted');
  });

  it('does not let requests for one document wait for a hung broker one after the other', async () => {
    publisher.onPublish = async ({ deadlineMs }) => {
      await new Promise((resolve) => setTimeout(resolve, deadlineMs));
      throw new AppError('BROKER_UNAVAILABLE', 'The broker hangs by script.');
    };
    const accept = acceptance();
    const startedAt = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(accept.accept(request()))));
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'BROKER_UNAVAILABLE'));
    // One deadline of 3 s, where five in turn would take 15 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await leftovers()).toEqual(nothing);
  });

  it('accepts exactly one of twenty simultaneous requests', async () => {
    const accept = acceptance();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(accept.accept(request()))));
    expect(outcomes.filter((text) => text.startsWith('accepted'))).toHaveLength(1);
    expect(outcomes.filter((text) => text === 'BUILD_IN_PROGRESS')).toHaveLength(19);
    expect((await leftovers()).tasks).toHaveLength(1);
    expect(publisher.sent).toHaveLength(1);
  });

  it('sees a confirmation that was committed while it waited for the lock', async () => {
    const open = await plantDocument(db.database, { confirmed: false });
    let commit: () => void = () => undefined;
    let confirming: Promise<void> = Promise.resolve();
    await new Promise<void>((locked) => {
      confirming = db.database.transaction(async (tx) => {
        await tx.query('select 1 from document where id = $1 for update', [open.documentId]);
        await tx.query('update strategy_plan set plan_status = 2 where id = $1', [open.planId]);
        await tx.query('update document set strategy_status = 3 where id = $1', [open.documentId]);
        locked();
        await new Promise<void>((resolve) => (commit = resolve));
      });
    });
    const accepting = outcome(acceptance().accept(request({ documentId: open.documentId, planId: open.planId })));
    await untilSomebodyWaits();
    commit();
    await confirming;
    expect(await accepting).toMatch('accepted');
  });
});

describe('accepting a build when the line to the database is cut', () => {
  it('answers with its task when the answer to COMMIT is lost', async () => {
    const { connectionString } = db.connection.address as { connectionString: string };
    const url = new URL(connectionString);
    const proxy = await CuttingProxy.to(url.hostname, Number(url.port || 5432));
    url.port = String(proxy.port);
    const connection = postgresConnection(url.href, 2);
    const source = createDataSource(
      connection,
      { connectTimeoutMs: 5_000, statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 },
      silentLogger,
    );
    await source.initialize();
    publisher.onPublish = () => Promise.resolve(proxy.swallowAnswerTo('COMMIT'));
    const build = await acceptance(new Database(source, connection)).accept(request());
    expect((await leftovers()).tasks).toEqual([{ id: build.taskId }]);
    await source.destroy();
    await proxy.close();
  });
});

describe('refusing a build', () => {
  const refused = async (change: string, more: Partial<BuildRequest> = {}): Promise<string> => {
    if (change)
      await db.database.query(change.replaceAll('$document', planted.documentId).replaceAll('$plan', planted.planId));
    return outcome(acceptance().accept(request(more)));
  };

  it('names the first check that fails, in order', async () => {
    expect(await refused('', { documentId: '9007199254740993' })).toBe('DOCUMENT_NOT_FOUND');
    expect(await refused('', { tenantId: '7' })).toBe('DOCUMENT_NOT_FOUND');
    expect(await refused('', { planId: '9007199254740993' })).toBe('PLAN_STALE');
    expect(await refused('update strategy_plan set plan_status = 1 where id = $plan')).toBe('PLAN_INVALID');
    expect(await refused('update document set strategy_status = 2 where id = $document')).toBe('DOCUMENT_NOT_READY');
    expect(await refused('update document set parse_status = 4 where id = $document', { planId: '5' })).toBe(
      'DOCUMENT_NOT_READY',
    );
    expect(await refused('update document set deleted_at = now() where id = $document')).toBe('DOCUMENT_NOT_FOUND');
    expect(await leftovers()).toEqual(nothing);
    expect(publisher.sent).toEqual([]);
  });

  it('names the live task, before it looks at the plan', async () => {
    const { taskId } = await acceptance().accept(request());
    await db.database.query('update strategy_plan set plan_status = 1 where id = $1', [planted.planId]);
    await expect(acceptance().accept(request())).rejects.toMatchObject({
      code: 'BUILD_IN_PROGRESS',
      details: { taskId },
    });
  });

  it('carries what the caller needs to mend it', async () => {
    await expect(acceptance().accept(request({ planId: '5' }))).rejects.toMatchObject({
      details: { currentPlanId: planted.planId },
    });
    await db.database.query('update document set strategy_status = 2 where id = $1', [planted.documentId]);
    await expect(acceptance().accept(request())).rejects.toMatchObject({
      details: { parseStatus: 3, strategyStatus: 2 },
    });
  });
});

describe('all four checks', () => {
  const failing = async (planId: Id): Promise<number[]> => {
    const check = new CheckBuild(db.database, new BuildAcceptanceRepository(), judgePlan);
    const { allowed, checks } = await check.check(defaultTenant, planted.documentId, planId);
    expect(checks.map(({ no }) => no)).toEqual([1, 2, 3, 4]);
    const failed = checks.filter(({ passed }) => !passed).map(({ no }) => no);
    expect(allowed).toBe(failed.length === 0);
    return failed;
  };

  it('are judged each on its own', async () => {
    expect(await failing(planted.planId)).toEqual([]);
    expect(await failing('9007199254740993')).toEqual([2, 4]);
    await acceptance().accept(request());
    expect(await failing(planted.planId)).toEqual([3]);
    const other = testIds.next();
    await db.database.transaction(async (tx) => {
      await plantPlan(tx, { documentId: planted.documentId, planId: other }, PlanStatus.WaitConfirm);
      await tx.query('update document set current_plan_id = $2, strategy_status = 2 where id = $1', [
        planted.documentId,
        other,
      ]);
    });
    expect(await failing(other)).toEqual([1, 3, 4]);
    expect(await failing(planted.planId)).toEqual([1, 2, 3]);
  });
});
