import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../domain/clock.js';
import { repositoriesOn, type Repositories } from '../../composition/repositories.js';
import { ensureVectorTable } from '../../database/vector-tables.js';
import type { ObjectStore } from '../../documents/object-store.js';
import { AppError } from '../../domain/errors.js';
import type { Id } from '../../domain/ids/id.js';
import { TaskType } from '../../domain/task/task-type.js';
import { silentLogger } from '../../logging/logger.js';
import { RemoveContent } from '../../worker/stages/remove-content.js';
import { TaskReporter } from '../../worker/task-reporter.js';
import { TaskWalker } from '../../worker/task-walker.js';
import { plantDocuments, testIds, testModel, type PlantedDocument } from '../factories.js';
import { startHttpApi, type HttpApi } from '../http-api.js';
import { openLocalObjects, type LocalObjects } from '../local-objects.js';
import { plantServedVersion } from '../planted-version.js';

const limits = {
  stageMs: 60_000,
  parseMsPerMillion: 0,
  cutMsPerMillion: 0,
  embedMsPerMillion: 0,
  attemptMs: 60_000,
  heedMs: 1_000,
  readingMs: 60_000,
};

let api: HttpApi;
let repositories: Repositories;
let local: LocalObjects;
let planted: PlantedDocument[];
/** Documents whose files were removed, or tried to be. */
let removed: string[];
/** The file that cannot be removed. */
let stuckKey: string | undefined;

beforeAll(async () => {
  api = await startHttpApi();
  repositories = repositoriesOn(api.test.database, testIds);
  await ensureVectorTable(api.test.database, testModel.dimension);
  local = await openLocalObjects();
});
afterAll(async () => {
  await api.stop();
  await local.close();
});
beforeEach(async () => {
  removed = [];
  stuckKey = undefined;
  planted = await plantDocuments(api.test.database, 3);
  for (const each of planted) {
    await rows('update document set source_key = $2 where id = $1', each.documentId, `sources/${each.documentId}`);
    await plantServedVersion(api.test.database, each);
  }
});

const rows = (sql: string, ...values: unknown[]) => api.test.database.query<Record<string, unknown>>(sql, values);
const nth = (at: number): PlantedDocument => planted[at] as PlantedDocument;
const keyOf = (at: number): string => `sources/${nth(at).documentId}`;
const idOf = (body: unknown) => (body as { task: { taskId: Id } }).task.taskId;
const deleteBase = async () =>
  idOf((await api.server.call('DELETE', `/knowledge-bases/${nth(0).knowledgeBaseId}`)).body);
const deleteDocument = async (at: number) =>
  idOf((await api.server.call('DELETE', `/documents/${nth(at).documentId}`)).body);
const retry = (taskId: Id) => api.server.post(`/tasks/${taskId}/retry`, '');
const statusOf = async (taskId: Id) =>
  (await rows('select task_status from task where id = $1', taskId))[0]?.task_status;

const objects = (): ObjectStore => {
  const { objects: store } = local;
  return {
    start: () => store.start(),
    put: (...each) => store.put(...each),
    get: (key) => store.get(key),
    exists: (key) => store.exists(key),
    list: (folder) => store.list(folder),
    sweep: () => store.sweep(),
    delete: (key) => {
      removed.push(key);
      if (key === stuckKey) throw new AppError('SOURCE_UNREADABLE', 'The disk does not answer.');
      return store.delete(key);
    },
  };
};

/** Does one attempt at a task, as a worker does, and reports it. */
async function attempt(taskId: Id): Promise<void> {
  const { leases, logs, deletions, versions, chunks, failures } = repositories;
  const outcome = await leases.claim(taskId, 'w', 60_000);
  if (outcome.type !== 'claimed') throw new Error(outcome.reason);
  const stage = new RemoveContent({ deletions, versions, chunks, objects: objects() });
  const parts = { database: api.test.database, leases, logs, clock: systemClock };
  const walker = new TaskWalker(new Map([[TaskType.DeleteIndex, [stage]]]), parts, limits);
  const policy = { retryDelayMs: 1, retryDelayMaxMs: 1 };
  const reporter = new TaskReporter({ leases, failures, policy, random: () => 0, logger: silentLogger });
  await reporter.report(await walker.walk(outcome.task, new AbortController().signal));
}

/** Has the attempt fail at the file of the second document, without another by itself. */
async function failAtSecond(taskId: Id): Promise<void> {
  await rows('update task set max_retry_count = 0 where id = $1', taskId);
  stuckKey = keyOf(1);
  await attempt(taskId);
  expect(await statusOf(taskId)).toBe(4);
  stuckKey = undefined;
  removed = [];
}

describe('retrying a failed deletion', () => {
  it('of a base goes on at the document where it stopped', async () => {
    const taskId = await deleteBase();
    await failAtSecond(taskId);
    expect(await retry(taskId)).toMatchObject({ status: 202, body: { taskId, taskStatus: { name: 'RETRYING' } } });
    expect(api.publisher.sent.at(-1)?.value).toMatchObject({ taskId, documentId: nth(0).knowledgeBaseId });
    await attempt(taskId);
    expect(await statusOf(taskId)).toBe(3);
    expect(removed).toEqual([keyOf(1), keyOf(2)]);
    for (const table of ['chunk', 'index_version', 'chunk_vector_384']) {
      expect(await rows(`select 1 from ${table} where knowledge_base_id = $1`, nth(0).knowledgeBaseId)).toEqual([]);
    }
  });

  it('of a document goes on too, and leaves the document’s statuses as they were', async () => {
    const taskId = await deleteDocument(1);
    const before = await rows('select index_status, parse_status from document where id = $1', nth(1).documentId);
    await failAtSecond(taskId);
    expect(await retry(taskId)).toMatchObject({ status: 202, body: { taskStatus: { name: 'RETRYING' } } });
    expect(await rows('select index_status, parse_status from document where id = $1', nth(1).documentId)).toEqual(
      before,
    );
    await attempt(taskId);
    expect(await statusOf(taskId)).toBe(3);
    expect(await rows('select 1 from document where id = $1 and purged_at is not null', nth(1).documentId)).toEqual([
      expect.anything(),
    ]);
  });

  it('by its dead letter does the same, once', async () => {
    for (const taskId of [await deleteDocument(1), await deleteBase()]) {
      if ((await statusOf(taskId)) !== 1) throw new Error('the deletion should wait');
      await failAtSecond(taskId);
      const [letter] = await rows('select id from dead_letter where task_id = $1', taskId);
      const replay = () => api.server.post(`/admin/dead-letters/${String(letter?.id)}/replay`, '');
      expect(await replay()).toMatchObject({ status: 202, body: { state: 'REPLAYED' } });
      expect(await replay()).toMatchObject({ status: 202, body: { state: 'REPLAYED' } });
      expect(
        await rows(`select 1 from task_log where task_id = $1 and event = 'RETRY_REQUESTED'`, taskId),
      ).toHaveLength(1);
      stuckKey = keyOf(1);
      await attempt(taskId);
      expect(await statusOf(taskId)).toBe(4);
    }
  });

  it.each([
    ['a base', deleteBase],
    ['a document', () => deleteDocument(1)],
  ])('of %s is refused in the documented order', async (_, begin) => {
    const taskId = await begin();
    expect(await retry(taskId)).toMatchObject({ status: 409, body: { code: 'TASK_NOT_RETRYABLE' } });
    await failAtSecond(taskId);
    const newer = testIds.next();
    await rows(
      `insert into task (id, document_id, knowledge_base_id, task_type, task_status, current_stage, trigger_source, stages, max_retry_count)
       select $2, document_id, knowledge_base_id, task_type, 1, current_stage, trigger_source, '[]', 0 from task where id = $1`,
      taskId,
      newer,
    );
    expect(await retry(taskId)).toMatchObject({ status: 409, body: { code: 'BUILD_IN_PROGRESS', taskId: newer } });
    await rows('update task set task_status = 3, finished_at = now() where id = $1', newer);
    expect(await retry(taskId)).toMatchObject({ status: 409, body: { code: 'TASK_SUPERSEDED' } });
  });

  it('gives one of five simultaneous retries the task', async () => {
    const taskId = await deleteBase();
    await failAtSecond(taskId);
    const answers = await Promise.all(Array.from({ length: 5 }, () => retry(taskId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
  });
});
