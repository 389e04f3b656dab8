import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchBench } from '../../testing/batch-bench.js';
import { plantDocument, plantDocuments, type PlantedDocument } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { AcceptedRebuildView, BatchItemView, BatchView } from '../views/batch-view.js';
import { TaskView } from '../views/task-view.js';

let api: HttpApi;
let bench: BatchBench;

beforeAll(async () => {
  api = await startHttpApi();
  bench = new BatchBench(api.test.database);
});
afterAll(() => api.stop());

const rebuild = (body: object) => api.server.post('/index/rebuild', JSON.stringify(body));
const command = (path: string) => api.server.post(path, JSON.stringify({ operatorId: '7' }));
const paths = (fields: unknown) => (fields as { path: string }[]).map(({ path }) => path);

describe('a rebuild', () => {
  it('is taken on with the number of its documents, and can be looked at', async () => {
    const planted = await plantDocuments(api.test.database, 3);
    const { knowledgeBaseId } = planted[0] as PlantedDocument;
    const answer = await rebuild({ knowledgeBaseId, reason: 'New model', operatorId: 4711 });
    const path = `/batches/${String(answer.body.batchId)}`;
    expect([answer.status, answer.headers.get('location'), answer.body.total]).toEqual([202, path, 3]);
    expect(shapeFaults(AcceptedRebuildView, answer.body, api.server.limits)).toEqual([]);
    const { body } = await api.server.get(path);
    expect(shapeFaults(BatchView, body, api.server.limits)).toEqual([]);
    expect(body).toMatchObject({
      state: 'RUNNING',
      total: 3,
      counts: { waiting: 3, running: 0, succeeded: 0, failed: 0, cancelled: 0, skipped: 0 },
      knowledgeBaseId,
      reason: 'New model',
      triggerSource: { name: 'USER' },
      operatorId: '4711',
      finishedAt: null,
    });
    expect((await api.server.get('/batches?limit=1')).body.items).toEqual([body]);
  });

  it('is one batch, however often it is asked for under one key', async () => {
    const [{ documentId }] = (await plantDocuments(api.test.database, 1)) as [PlantedDocument];
    const ask = () =>
      api.server.post('/index/rebuild', JSON.stringify({ documentIds: [documentId] }), { 'idempotency-key': 'once' });
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([202, 202, 'true']);
    expect(second.body).toEqual(first.body);
  });

  it('needs exactly one of base and list', async () => {
    for (const body of [{}, { knowledgeBaseId: '5', documentIds: ['6'] }, { knowledgeBaseId: null }]) {
      const answer = await rebuild(body);
      expect([answer.status, answer.body.code, paths(answer.body.fields)]).toEqual([
        400,
        'INVALID_REQUEST',
        ['knowledgeBaseId'],
      ]);
    }
    for (const documentIds of [[], ['x'], Array.from({ length: 10_001 }, (_, i) => i + 1)]) {
      expect(paths((await rebuild({ documentIds })).body.fields)).toEqual(['documentIds']);
    }
    expect(await rebuild({ knowledgeBaseId: '77' })).toMatchObject({
      status: 404,
      body: { code: 'KNOWLEDGE_BASE_NOT_FOUND' },
    });
  });

  it('counts a document that is named twice once, and takes as many as the limits say', async () => {
    const { documentId } = await plantDocument(api.test.database);
    expect((await rebuild({ documentIds: [documentId, documentId] })).body.total).toBe(1);
    const many = Array.from({ length: 10_000 }, (_, i) => String(i + 1));
    expect((await rebuild({ documentIds: many })).body.total).toBe(10_000);
  });
});

describe('the items of a batch', () => {
  it('are listed by state, page by page, and lead to their tasks', async () => {
    const planted = await plantDocuments(api.test.database, 3);
    const ids = planted.map(({ documentId }) => documentId);
    const batchId = await bench.accept({ documentIds: [...ids, '7'] });
    await bench.fill();
    const [skipped] = (await api.server.get(`/batches/${batchId}/items?status=SKIPPED`)).body.items as object[];
    expect(skipped).toEqual({ documentId: '7', state: 'SKIPPED', skipReason: 'NOT_FOUND' });
    const page = await api.server.get(`/batches/${batchId}/items?status=WAITING&limit=2`);
    const items = page.body.items as { documentId: string; taskId: string }[];
    for (const item of items) expect(shapeFaults(BatchItemView, item, api.server.limits)).toEqual([]);
    expect(items.map(({ documentId }) => documentId)).toEqual(ids.slice(0, 2));
    const cursor = encodeURIComponent(String(page.body.nextCursor));
    const rest = await api.server.get(`/batches/${batchId}/items?status=WAITING&limit=2&cursor=${cursor}`);
    expect((rest.body.items as object[]).length).toBe(1);
    const { body: task } = await api.server.get(`/tasks/${String(items[0]?.taskId)}`);
    expect(shapeFaults(TaskView, task, api.server.limits)).toEqual([]);
    expect(task).toMatchObject({ batchId, taskType: { name: 'REBUILD_INDEX' }, triggerSource: { name: 'SYSTEM' } });
    expect((await api.server.get(`/tasks?batchId=${batchId}`)).body.items).toHaveLength(3);
    expect((await api.server.get(`/batches/${batchId}/items?status=LOST`)).status).toBe(400);
  });

  it('that failed say why and what to do, in the language that is asked for', async () => {
    const { documentId } = await plantDocument(api.test.database);
    const batchId = await bench.accept({ documentIds: [documentId] });
    await bench.fill();
    await api.test.database.query(
      `update task set task_status = 4, finished_at = now(), error = '{"code": "EMBEDDING_FAILED", "message": "m"}'
        where batch_id = $1`,
      [batchId],
    );
    const { body } = await api.server.get(`/batches/${batchId}/items`, { 'accept-language': 'zh' });
    expect(body.items).toEqual([
      expect.objectContaining({
        state: 'FAILED',
        error: { code: 'EMBEDDING_FAILED', message: 'm', nextStep: expect.stringContaining('向量模型') },
      }),
    ]);
    expect(await command(`/batches/${batchId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'BATCH_FINISHED' },
    });
    const retried = await command(`/batches/${batchId}/retry-failed`);
    expect([retried.status, retried.body.state, retried.body.counts]).toEqual([
      202,
      'RUNNING',
      expect.objectContaining({ waiting: 1, failed: 0 }),
    ]);
    expect(await command(`/batches/${batchId}/retry-failed`)).toMatchObject({
      status: 409,
      body: { code: 'NOTHING_TO_RETRY' },
    });
    expect(await command(`/batches/${batchId}/cancel`)).toMatchObject({ status: 202, body: { state: 'CANCELLED' } });
  });
});

describe('a batch that is not there', () => {
  it('is said to be unknown, also where another tenant has it', async () => {
    const { documentId } = await plantDocument(api.test.database);
    const { batchId } = (await rebuild({ documentIds: [documentId] })).body;
    await api.test.database.query('update batch set tenant_id = 7 where id = $1', [batchId]);
    for (const id of ['77', String(batchId)]) {
      const answers = [
        await api.server.get(`/batches/${id}`),
        await api.server.get(`/batches/${id}/items`),
        await command(`/batches/${id}/cancel`),
        await command(`/batches/${id}/retry-failed`),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [404, 'BATCH_NOT_FOUND']),
      );
    }
  });
});
