import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../domain/clock.js';
import { repositoriesOn } from '../../composition/repositories.js';
import { ensureVectorTable } from '../../database/vector-tables.js';
import type { ClaimedTask } from '../../database/repositories/task-lease-repository.js';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { codeOf } from '../code-of.js';
import { plantDocument, plantTask, testIds, testModel, type PlantedDocument } from '../factories.js';
import { plantServedVersion } from '../planted-version.js';
import { openLocalObjects, type LocalObjects } from '../local-objects.js';
import { whileLocked } from '../while-locked.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { RemoveContent } from '../../worker/stages/remove-content.js';
import { TaskRun } from '../../worker/task-run.js';
import { DeleteContent } from '../../builds/delete-content.js';

let db: TestDatabase;
let objects: LocalObjects;
let planted: PlantedDocument;
let woken = 0;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  await ensureVectorTable(db.database, testModel.dimension);
  objects = await openLocalObjects();
});
afterAll(async () => {
  await db.close();
  await objects.close();
});
beforeEach(async () => {
  planted = await plantDocument(db.database);
});

const repositories = () => repositoriesOn(db.database, testIds);
const deleting = () => {
  const { deletions, commands, tasks, logs, outbox } = repositories();
  return new DeleteContent(
    { database: db.database, deletions, commands, tasks, logs, outbox, ids: testIds },
    { maxRetryCount: 3, onOutbox: () => (woken += 1) },
  );
};
const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);

/** Walks the task that removes the rest, as a worker does. */
async function work(taskId: Id): Promise<void> {
  const { leases, logs, deletions, versions, chunks } = repositories();
  const outcome = await leases.claim(taskId, 'w', 60_000);
  if (outcome.type !== 'claimed') throw new Error(outcome.reason);
  const task: ClaimedTask = outcome.task;
  const run = new TaskRun(task, new AbortController().signal, {
    database: db.database,
    leases,
    logs,
    clock: systemClock,
  });
  await run.beginStage(task.currentStage, 60_000);
  await new RemoveContent({ deletions, versions, chunks, objects: objects.objects }).run(run);
}

describe('deleting a document', () => {
  it('cancels its build, hides it and leaves a task for the rest, in one commit', async () => {
    const build = await plantTask(db.database, planted);
    const taskId = await deleting().deleteDocument(defaultTenant, planted.documentId, '7');
    expect(await rows('select task_status from task where id = $1', build)).toEqual([{ task_status: 7 }]);
    expect(await repositories().documents.view(defaultTenant, planted.documentId)).toBeUndefined();
    expect(await rows('select task_type, task_status, document_id from task where id = $1', taskId)).toEqual([
      { task_type: 3, task_status: 1, document_id: planted.documentId },
    ]);
    expect(await rows('select payload from outbox where aggregate_id = $1', planted.documentId)).toHaveLength(1);
    expect(woken).toBeGreaterThan(0);
  });

  it('waits for a build that is writing, whose rows may name the document meanwhile', async () => {
    const build = await plantTask(db.database, planted);
    const held = { sql: 'select 1 from task where id = $1 for update', parameters: [build], waiters: 1 };
    const taskId = await whileLocked(
      db.database,
      {
        ...held,
        meanwhile: (tx) =>
          tx.query(
            `insert into index_version (id, document_id, knowledge_base_id, version, task_id, plan_id, text_revision,
                                        source_hash, model_id, dimension, state)
             values ($1, $2, $3, 1, $4, $5, 1, '', 'm', 3, 1)`,
            [testIds.next(), planted.documentId, planted.knowledgeBaseId, build, planted.planId],
          ),
      },
      () => deleting().deleteDocument(defaultTenant, planted.documentId),
    );
    expect(await rows('select task_status from task where id in ($1, $2) order by id', build, taskId)).toEqual([
      { task_status: 7 },
      { task_status: 1 },
    ]);
  });

  it('gives the same task while it is live, and then finds nothing', async () => {
    const taskId = await deleting().deleteDocument(defaultTenant, planted.documentId);
    expect(await deleting().deleteDocument(defaultTenant, planted.documentId)).toBe(taskId);
    await rows('update task set task_status = 7, finished_at = now() where id = $1', taskId);
    expect(await codeOf(deleting().deleteDocument(defaultTenant, planted.documentId))).toBe('DOCUMENT_NOT_FOUND');
    expect(await codeOf(deleting().deleteDocument('7', planted.documentId))).toBe('DOCUMENT_NOT_FOUND');
  });

  it('removes chunks, vectors, texts, plans and the file, and keeps tasks and logs', async () => {
    const stored = await objects.objects.put(`sources/${planted.documentId}`, Readable.from([Buffer.from('x')]), 10);
    await rows('update document set source_key = $2 where id = $1', planted.documentId, stored.key);
    await plantServedVersion(db.database, planted);
    const taskId = await deleting().deleteDocument(defaultTenant, planted.documentId);
    await work(taskId);
    for (const table of ['chunk', 'index_version', 'document_text', 'strategy_plan']) {
      expect(await rows(`select 1 from ${table} where document_id = $1`, planted.documentId)).toEqual([]);
    }
    expect(await rows('select 1 from chunk_vector_384 where knowledge_base_id = $1', planted.knowledgeBaseId)).toEqual(
      [],
    );
    await expect(objects.objects.get(stored.key)).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
    expect(await rows('select 1 from task where document_id = $1', planted.documentId)).toHaveLength(2);
    expect(
      await rows('select purged_at is not null as purged from document where id = $1', planted.documentId),
    ).toEqual([{ purged: true }]);
  });

  it('is safe to run twice', async () => {
    await plantServedVersion(db.database, planted);
    const taskId = await deleting().deleteDocument(defaultTenant, planted.documentId);
    await work(taskId);
    await rows(`update task set task_status = 5, next_retry_at = now() where id = $1`, taskId);
    await work(taskId);
    expect(await rows('select 1 from chunk where document_id = $1', planted.documentId)).toEqual([]);
  });
});

describe('deleting a base', () => {
  it('hides and removes all that it holds', async () => {
    await plantServedVersion(db.database, planted);
    const build = await plantTask(db.database, planted);
    const taskId = await deleting().deleteBase(defaultTenant, planted.knowledgeBaseId);
    const [message] = await rows('select topic from outbox where aggregate_id = $1', planted.knowledgeBaseId);
    expect(message).toEqual({ topic: 'document-index-delete-bulk' });
    expect(await rows('select task_status from task where id = $1', build)).toEqual([{ task_status: 7 }]);
    expect(await repositories().documents.view(defaultTenant, planted.documentId)).toBeUndefined();
    expect(await codeOf(deleting().deleteBase(defaultTenant, planted.knowledgeBaseId))).toBe(
      'KNOWLEDGE_BASE_NOT_FOUND',
    );
    await work(taskId);
    expect(await rows('select 1 from chunk where knowledge_base_id = $1', planted.knowledgeBaseId)).toEqual([]);
    expect(await rows('select document_id from task where id = $1', taskId)).toEqual([{ document_id: null }]);
  });

  it('refuses the default base', async () => {
    await rows('update knowledge_base set is_default = true where id = $1', planted.knowledgeBaseId);
    expect(await codeOf(deleting().deleteBase(defaultTenant, planted.knowledgeBaseId))).toBe('DEFAULT_KNOWLEDGE_BASE');
    await rows('update knowledge_base set is_default = false where id = $1', planted.knowledgeBaseId);
  });
});
