import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskLeaseRepository } from '../../database/repositories/task-lease-repository.js';
import { BatchState } from '../../domain/batch/batch-state.js';
import { ItemState } from '../../domain/batch/batch-item.js';
import { AppError } from '../../domain/errors.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import type { Id } from '../../domain/ids/id.js';
import { BatchBench } from '../batch-bench.js';
import { codeOf } from '../code-of.js';
import {
  plantDocument,
  plantDocuments,
  plantTask,
  plantVersion,
  testIds,
  testModel,
  testSpec,
  type PlantedDocument,
} from '../factories.js';
import { openTestDatabase, type TestDatabase, type TestDatabaseKind } from '../test-database.js';
import type { FreezeSpec } from '../../builds/index-task.js';

/** How batches are accepted, filled and ended, on a database of either kind. */
export function describeBatches(on: TestDatabaseKind): void {
  let db: TestDatabase;
  let bench: BatchBench;

  beforeAll(async () => {
    db = await openTestDatabase({ on });
    bench = new BatchBench(db.database);
  });
  afterAll(() => db.close());
  beforeEach(() => bench.forgetEarlier());

  const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);

  describe('accepting a rebuild', () => {
    it('notes every document once and makes no task yet', async () => {
      const [one, two] = (await plantDocuments(db.database, 2)) as [PlantedDocument, PlantedDocument];
      const batchId = await bench.accept({ documentIds: [one.documentId, two.documentId, one.documentId, '77'] });
      expect(await bench.look(batchId)).toMatchObject({
        state: BatchState.Running,
        total: 3,
        counts: { waiting: 3 },
        finishedAt: null,
      });
      expect(await rows('select 1 from task where batch_id = $1', batchId)).toEqual([]);
    });

    it('takes all of a base but what is deleted, and is done at once where there is nothing', async () => {
      const planted = await plantDocuments(db.database, 3);
      await bench.changeDocument('deleted_at = now()', planted[0] as PlantedDocument);
      const { knowledgeBaseId } = planted[0] as PlantedDocument;
      expect(await bench.look(await bench.accept({ knowledgeBaseId }))).toMatchObject({ total: 2 });
      await rows('update document set deleted_at = now() where knowledge_base_id = $1', knowledgeBaseId);
      expect(await bench.look(await bench.accept({ knowledgeBaseId }))).toMatchObject({
        total: 0,
        state: BatchState.Done,
        finishedAt: expect.any(Date),
      });
    });

    it('is shown to its tenant only', async () => {
      const batchId = await bench.accept({ documentIds: ['77'] });
      expect(await codeOf(bench.reads.get('0', batchId))).toBe('done');
      expect(await codeOf(bench.reads.get('7', batchId))).toBe('BATCH_NOT_FOUND');
    });

    it('refuses a base that is unknown, deleted, or of another tenant', async () => {
      const { knowledgeBaseId } = await plantDocument(db.database);
      expect(await codeOf(bench.accept({ knowledgeBaseId: '77' }))).toBe('KNOWLEDGE_BASE_NOT_FOUND');
      expect(await codeOf(bench.accept({ knowledgeBaseId }, { tenantId: '7' }))).toBe('KNOWLEDGE_BASE_NOT_FOUND');
      await rows('update knowledge_base set deleted_at = now() where id = $1', knowledgeBaseId);
      expect(await codeOf(bench.accept({ knowledgeBaseId }))).toBe('KNOWLEDGE_BASE_NOT_FOUND');
    });
  });

  describe('filling a batch', () => {
    it('freezes each plan on a task of its own and leaves a message on the bulk topic', async () => {
      const planted = await plantDocument(db.database);
      const batchId = await bench.accept({ documentIds: [planted.documentId] });
      await bench.fill();
      const item = (await bench.items(batchId)).get(planted.documentId);
      expect(await rows('select * from task where document_id = $1', planted.documentId)).toEqual([
        expect.objectContaining({
          id: item?.taskId,
          batch_id: batchId,
          plan_id: planted.planId,
          task_type: 4,
          task_status: 1,
          trigger_source: 2,
          operator_id: null,
          strategy_snapshot: 'PARENT:1;CHILD:2',
          build_spec: expect.objectContaining({ model: testModel }),
        }),
      ]);
      expect(
        await rows('select topic, payload, headers from outbox where aggregate_id = $1', planted.documentId),
      ).toEqual([
        {
          topic: 'document-index-rebuild',
          payload: { documentId: planted.documentId, taskId: item?.taskId, planId: planted.planId },
          headers: expect.objectContaining({ 'x-task-type': 'REBUILD_INDEX', 'x-priority': 'bulk' }),
        },
      ]);
      expect(await rows('select index_status from document where id = $1', planted.documentId)).toEqual([
        { index_status: 2 },
      ]);
      expect(await bench.notExactlyOnce(batchId)).toEqual([]);
    });

    it('wakes whoever sends messages once there are any, and only then', async () => {
      const { documentId } = await plantDocument(db.database);
      let woken = 0;
      const onOutbox = () => (woken += 1);
      await bench.accept({ documentIds: ['77'] });
      await bench.fill(bench.filler({ onOutbox }));
      expect(woken).toBe(0);
      await bench.accept({ documentIds: [documentId] });
      await bench.fill(bench.filler({ onOutbox }));
      expect(woken).toBe(1);
    });

    it('carries the operator to the tasks', async () => {
      const { documentId } = await plantDocument(db.database);
      await bench.accept({ documentIds: [documentId] }, { operatorId: '4711' });
      await bench.fill();
      expect(await rows('select trigger_source, operator_id from task where document_id = $1', documentId)).toEqual([
        { trigger_source: 1, operator_id: '4711' },
      ]);
    });

    it('skips what cannot be built, each with its reason, and is done when only such are left', async () => {
      const all = await plantDocuments(db.database, 9);
      const [unconfirmed, unparsed, deleted, building, invalid, foreign, unchanged, stale, neverBuilt] =
        all as unknown as Record<number, PlantedDocument> & PlantedDocument[];
      await bench.changeDocument('strategy_status = 2', unconfirmed!);
      await bench.changeDocument('parse_status = 4', unparsed!);
      await bench.changeDocument('deleted_at = now()', deleted!);
      await plantTask(db.database, building!);
      await rows('update strategy_plan set plan_status = 1 where id = $1', invalid!.planId);
      await bench.changeDocument('tenant_id = 7', foreign!);
      await plantVersion(db.database, unchanged!);
      await plantVersion(db.database, stale!);
      await bench.changeDocument(`source_hash = repeat('b', 64)`, stale!);
      const batchId = await bench.accept({ documentIds: [...all.map((d) => d.documentId), '77'] }, { onlyStale: true });
      await bench.fill();
      const items = await bench.items(batchId);
      const reasons = [unconfirmed, unparsed, deleted, building, invalid, foreign, unchanged].map(
        (d) => items.get(d!.documentId)?.skipReason,
      );
      expect(reasons).toEqual([
        'NOT_CONFIRMED',
        'NOT_PARSED',
        'DELETED',
        'BUILD_IN_PROGRESS',
        'PLAN_INVALID',
        'NOT_FOUND',
        'UNCHANGED',
      ]);
      expect(items.get('77')?.skipReason).toBe('NOT_FOUND');
      for (const started of [stale, neverBuilt]) {
        const item = items.get(started!.documentId);
        expect(item).toMatchObject({ state: ItemState.Waiting, skipReason: null });
        await bench.endTask(item?.taskId, TaskStatus.Success);
      }
      expect(await bench.look(batchId)).toMatchObject({
        state: BatchState.Done,
        counts: { skipped: 8, succeeded: 2 },
        finishedAt: expect.any(Date),
      });
    });

    it('runs until the last of its tasks has ended, in hands or not', async () => {
      const { documentId } = await plantDocument(db.database);
      const batchId = await bench.accept({ documentIds: [documentId] });
      await bench.fill();
      const taskId = (await bench.items(batchId)).get(documentId)?.taskId ?? '';
      await new TaskLeaseRepository(db.database).claim(taskId, 'w', 60_000);
      expect(await bench.look(batchId)).toMatchObject({
        state: BatchState.Running,
        counts: { running: 1, waiting: 0 },
        finishedAt: null,
      });
      await bench.endTask(taskId, TaskStatus.Timeout);
      expect(await bench.look(batchId)).toMatchObject({ state: BatchState.Done, counts: { failed: 1 } });
    });

    it('rebuilds what is up to date, too, unless told otherwise', async () => {
      const planted = await plantDocument(db.database);
      await plantVersion(db.database, planted);
      const batchId = await bench.accept({ documentIds: [planted.documentId] });
      await bench.fill();
      expect((await bench.look(batchId)).counts).toMatchObject({ waiting: 1, skipped: 0 });
    });

    it('keeps no more tasks live than it may, and goes on as they end', async () => {
      const planted = await plantDocuments(db.database, 7);
      const { knowledgeBaseId } = planted[0] as PlantedDocument;
      const batchId = await bench.accept({ knowledgeBaseId });
      const filler = bench.filler({ ahead: 3 });
      const live = async () =>
        (await rows('select id from task where batch_id = $1 and task_status = 1', batchId)).length;
      for (const expected of [3, 3, 1, 0]) {
        await bench.fill(filler);
        expect(await live()).toBe(expected);
        expect((await bench.look(batchId)).state).toBe(expected === 0 ? BatchState.Done : BatchState.Running);
        await rows('update task set task_status = 3, finished_at = now() where batch_id = $1', batchId);
      }
      expect(await bench.notExactlyOnce(batchId)).toEqual([]);
    });

    it('gives a small batch its tasks while a large one is being filled', async () => {
      const large = (await plantDocuments(db.database, 900))[0] as PlantedDocument;
      const small = (await plantDocuments(db.database, 5))[0] as PlantedDocument;
      const largeId = await bench.accept({ knowledgeBaseId: large.knowledgeBaseId });
      const smallId = await bench.accept({ knowledgeBaseId: small.knowledgeBaseId });
      await bench.filler().runOnce();
      const open = (batchId: Id) => rows('select 1 from batch_item where batch_id = $1 and open', batchId);
      expect(await open(smallId)).toEqual([]);
      expect((await open(largeId)).length).toBeGreaterThan(0);
    }, 60_000);
  });

  describe('a fill that is cut off', () => {
    /** As if the process had died at its `at`-th task: what is open is rolled back, and nobody cleans up. */
    const dyingAt = (at: number) => {
      let made = 0;
      const next = () => {
        made += 1;
        if (made > at) throw new AppError('DATABASE_UNAVAILABLE', 'cut off by script');
        return testIds.next();
      };
      return bench.filler({ ids: { next } });
    };

    it.each([0, 111, 297])(
      'after %i of 300 tasks is gone on with to exactly the missing ones',
      async (at) => {
        const planted = await plantDocuments(db.database, 300);
        const { knowledgeBaseId } = planted[0] as PlantedDocument;
        const batchId = await bench.accept({ knowledgeBaseId });
        expect(await codeOf(dyingAt(at).runOnce())).toBe('DATABASE_UNAVAILABLE');
        const whole = Math.floor(at / 100) * 100;
        expect(await rows('select count(*)::int as n from task where batch_id = $1', batchId)).toEqual([{ n: whole }]);
        expect((await bench.look(batchId)).counts.waiting).toBe(300);
        await bench.fill();
        expect(await bench.notExactlyOnce(batchId)).toEqual([]);
        expect(await rows('select count(*)::int as n from task where batch_id = $1', batchId)).toEqual([{ n: 300 }]);
      },
      120_000,
    );

    it('by several others at work leaves nothing doubled', async () => {
      const planted = await plantDocuments(db.database, 300);
      const batchId = await bench.accept({ knowledgeBaseId: (planted[0] as PlantedDocument).knowledgeBaseId });
      await Promise.all(Array.from({ length: 4 }, () => bench.fill()));
      await bench.fill();
      expect(await bench.notExactlyOnce(batchId)).toEqual([]);
      expect((await bench.look(batchId)).counts.waiting).toBe(300);
    }, 60_000);
  });

  describe('a document that cannot even be judged', () => {
    it('fails alone, and is tried again with the failed ones', async () => {
      const planted = await plantDocuments(db.database, 5);
      const bad = planted[2] as PlantedDocument;
      const batchId = await bench.accept({ knowledgeBaseId: bad.knowledgeBaseId });
      const freezeSpec: FreezeSpec = ({ documentId }) => {
        if (documentId === bad.documentId) throw new TypeError('cannot read what is not there');
        return testSpec;
      };
      await bench.fill(bench.filler({ freezeSpec }));
      expect(await bench.look(batchId)).toMatchObject({ counts: { waiting: 4, failed: 1 } });
      expect((await bench.items(batchId)).get(bad.documentId)).toMatchObject({
        state: ItemState.Failed,
        taskId: null,
        error: { code: 'INTERNAL_ERROR' },
      });
      await bench.retryFailed(batchId);
      await bench.fill();
      expect(await bench.look(batchId)).toMatchObject({ counts: { waiting: 5, failed: 0 } });
    });
  });

  describe('two rebuilds of one base', () => {
    it('make no second live task: the later one says that a build is in progress', async () => {
      const planted = await plantDocuments(db.database, 150);
      const { knowledgeBaseId } = planted[0] as PlantedDocument;
      const [first, second] = await Promise.all([bench.accept({ knowledgeBaseId }), bench.accept({ knowledgeBaseId })]);
      await Promise.all([bench.fill(), bench.fill()]);
      await bench.fill();
      const views = [await bench.look(first), await bench.look(second)];
      expect(views[0]!.counts.waiting + views[1]!.counts.waiting).toBe(150);
      expect(views[0]!.counts.skipped + views[1]!.counts.skipped).toBe(150);
      expect(
        await rows(
          `select document_id from task where knowledge_base_id = $1 group by document_id having count(*) <> 1`,
          knowledgeBaseId,
        ),
      ).toEqual([]);
    });
  });
}
