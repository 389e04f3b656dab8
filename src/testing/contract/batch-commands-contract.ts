import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BatchRepository } from '../../database/repositories/batch-repository.js';
import { TaskLeaseRepository } from '../../database/repositories/task-lease-repository.js';
import { BatchState } from '../../domain/batch/batch-state.js';
import { ItemState } from '../../domain/batch/batch-item.js';
import type { Id } from '../../domain/ids/id.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { BatchBench } from '../batch-bench.js';
import { codeOf } from '../code-of.js';
import {
  plantDocument,
  plantDocuments,
  plantPlan,
  plantTask,
  plantVersion,
  testIds,
  type PlantedDocument,
} from '../factories.js';
import { openTestDatabase, type TestDatabase, type TestDatabaseKind } from '../test-database.js';

/** How batches are cancelled and their failures retried, on a database of either kind. */
export function describeBatchCommands(on: TestDatabaseKind): void {
  let db: TestDatabase;
  let bench: BatchBench;

  beforeAll(async () => {
    db = await openTestDatabase({ on });
    bench = new BatchBench(db.database);
  });
  afterAll(() => db.close());
  beforeEach(() => bench.forgetEarlier());

  const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);

  describe('cancelling a batch', () => {
    it('half way ends what is live, keeps what is over, and starts nothing any more', async () => {
      const planted = await plantDocuments(db.database, 40);
      const { knowledgeBaseId } = planted[0] as PlantedDocument;
      const batchId = await bench.accept({ knowledgeBaseId });
      await bench.filler({ ahead: 20 }).runOnce();
      const tasks = [...(await bench.items(batchId)).values()].flatMap(({ taskId }) => taskId ?? []);
      const leases = new TaskLeaseRepository(db.database);
      const running = await leases.claim(tasks[0] as Id, 'w', 60_000);
      await bench.endTask(tasks[1], TaskStatus.Success);
      await bench.changeDocument('active_version_id = 5', planted[2] as PlantedDocument);
      await bench.cancel(batchId);
      await bench.fill();
      expect(await bench.look(batchId)).toMatchObject({
        state: BatchState.Cancelled,
        counts: { succeeded: 1, cancelled: 39, waiting: 0, running: 0 },
        finishedAt: expect.any(Date),
      });
      if (running.type !== 'claimed') throw new Error(running.reason);
      expect(await db.database.transaction((tx) => leases.fence(tx, running.task))).toBe(false);
      expect(await leases.claim(tasks[5] as Id, 'w', 60_000)).toEqual({ type: 'refused', reason: 'finished' });
      expect(await rows('select count(*)::int as n from task where batch_id = $1', batchId)).toEqual([{ n: 20 }]);
      expect(await rows('select index_status as s from document where id = $1', planted[2]!.documentId)).toEqual([
        { s: 3 },
      ]);
      expect(await rows('select index_status as s from document where id = $1', planted[5]!.documentId)).toEqual([
        { s: 1 },
      ]);
    });

    it('beside those who fill it leaves no live task', async () => {
      const planted = await plantDocuments(db.database, 300);
      const batchId = await bench.accept({ knowledgeBaseId: (planted[0] as PlantedDocument).knowledgeBaseId });
      await Promise.all([bench.fill(), bench.fill(), bench.cancel(batchId)]);
      await bench.fill();
      expect(await rows('select 1 from task where batch_id = $1 and task_status in (1, 2, 5)', batchId)).toEqual([]);
      expect(await bench.look(batchId)).toMatchObject({ state: BatchState.Cancelled, counts: { cancelled: 300 } });
    }, 60_000);

    it('leaves nothing to those who had found the batch before', async () => {
      const { documentId } = await plantDocument(db.database);
      const batchId = await bench.accept({ documentIds: [documentId] });
      const batches = new BatchRepository(db.database);
      const hold = () => db.database.transaction((tx) => batches.holdToFill(tx, batchId));
      expect(await hold()).toMatchObject({ id: batchId });
      await bench.cancel(batchId);
      expect(await hold()).toBeUndefined();
    });

    it('is refused once the batch is over, and for what is not there', async () => {
      const { documentId } = await plantDocument(db.database);
      const batchId = await bench.accept({ documentIds: [documentId] });
      await bench.fill();
      await bench.endTask((await bench.items(batchId)).get(documentId)?.taskId, TaskStatus.Success);
      expect(await codeOf(bench.cancel(batchId))).toBe('BATCH_FINISHED');
      expect(await codeOf(bench.cancel('77'))).toBe('BATCH_NOT_FOUND');
      const other = await bench.accept({ documentIds: [documentId] });
      expect(await codeOf(bench.cancel(other))).toBe('done');
      expect(await codeOf(bench.cancel(other))).toBe('BATCH_FINISHED');
    });
  });

  describe('retrying the failed items of a batch', () => {
    let planted: PlantedDocument[];
    let batchId: Id;
    const taskOf = async (at: number) =>
      (await bench.items(batchId)).get((planted[at] as PlantedDocument).documentId)?.taskId;

    beforeEach(async () => {
      planted = await plantDocuments(db.database, 5);
      batchId = await bench.accept({ knowledgeBaseId: (planted[0] as PlantedDocument).knowledgeBaseId });
      await bench.fill();
      await bench.endTask(await taskOf(0), TaskStatus.Success);
      await bench.endTask(await taskOf(2), TaskStatus.Timeout);
      for (const at of [1, 3, 4]) await bench.endTask(await taskOf(at), TaskStatus.Failed);
      await rows('update document set index_status = 4 where knowledge_base_id = $1', planted[0]!.knowledgeBaseId);
    });

    it('has each go on where it failed, and the batch run again', async () => {
      expect(await bench.look(batchId)).toMatchObject({ state: BatchState.Done, counts: { failed: 4, succeeded: 1 } });
      expect((await bench.items(batchId)).get(planted[1]!.documentId)).toMatchObject({
        state: ItemState.Failed,
        error: { code: 'EMBEDDING_FAILED' },
      });
      const before = await taskOf(1);
      await bench.retryFailed(batchId);
      expect(await bench.look(batchId)).toMatchObject({ state: BatchState.Running, counts: { waiting: 4 } });
      await bench.fill();
      expect(await bench.look(batchId)).toMatchObject({ state: BatchState.Running, counts: { waiting: 4 } });
      expect(await taskOf(1)).toBe(before);
      expect(await rows('select task_status, current_stage, retry_count from task where id = $1', before)).toEqual([
        { task_status: 5, current_stage: 5, retry_count: 0 },
      ]);
      expect(
        await rows(`select operator_id from task_log where task_id = $1 and event = 'RETRY_REQUESTED'`, before),
      ).toEqual([{ operator_id: '7' }]);
      expect(await rows(`select 1 from outbox where payload ->> 'taskId' = $1`, before)).toHaveLength(2);
    });

    it('starts anew what has another plan, and tells truthfully what was deleted, built or retried meanwhile', async () => {
      const [, replanned, deleted, built, retried] = planted;
      const newPlan = testIds.next();
      await db.database.transaction(async (tx) => {
        await plantPlan(tx, { documentId: replanned!.documentId, planId: newPlan }, 2);
      });
      await bench.changeDocument(`current_plan_id = ${newPlan}`, replanned!);
      await bench.changeDocument('deleted_at = now()', deleted!);
      await rows(
        `insert into task (id, document_id, knowledge_base_id, task_type, task_status, current_stage, trigger_source, stages,
                         max_retry_count, finished_at)
       values ($1, $2, $3, 3, 4, 6, 1, '[]', 0, now())`,
        testIds.next(),
        deleted!.documentId,
        deleted!.knowledgeBaseId,
      );
      await bench.endTask(await plantTask(db.database, built!), TaskStatus.Success);
      await plantVersion(db.database, built!);
      const before = await taskOf(1);
      await rows(
        'update task set task_status = 5, finished_at = null, next_retry_at = now() where id = $1',
        await taskOf(4),
      );
      await bench.retryFailed(batchId);
      await bench.fill();
      const items = await bench.items(batchId);
      expect(items.get(replanned!.documentId)).toMatchObject({ state: ItemState.Waiting });
      expect(await taskOf(1)).not.toBe(before);
      expect(items.get(deleted!.documentId)).toMatchObject({ state: ItemState.Skipped, skipReason: 'DELETED' });
      expect(items.get(built!.documentId)).toMatchObject({ state: ItemState.Skipped, skipReason: 'UNCHANGED' });
      expect(items.get(retried!.documentId)).toMatchObject({ state: ItemState.Waiting });
      expect((await bench.look(batchId)).counts).toMatchObject({ waiting: 2, succeeded: 1, skipped: 2, failed: 0 });
    });

    it('is refused where nothing has failed, and for a cancelled batch', async () => {
      await bench.retryFailed(batchId);
      expect(await codeOf(bench.retryFailed(batchId))).toBe('NOTHING_TO_RETRY');
      await bench.cancel(batchId);
      expect(await bench.look(batchId)).toMatchObject({ state: BatchState.Cancelled, counts: { failed: 4 } });
      expect(await codeOf(bench.retryFailed(batchId))).toBe('BATCH_FINISHED');
      expect(await codeOf(bench.retryFailed('77'))).toBe('BATCH_NOT_FOUND');
    });
  });
}
