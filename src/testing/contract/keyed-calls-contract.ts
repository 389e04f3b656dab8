import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyedCallTimes } from '../../http/idempotency/keyed-calls.js';
import { BatchBench } from '../batch-bench.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../factories.js';
import { startHttpApi, type HttpApi } from '../http-api.js';
import type { TestAnswer } from '../http-test-server.js';
import type { TestDatabaseKind } from '../test-database.js';

/** Two instances of the API on one database: what a client may rely on when it repeats a creating request. */
export class TwinApis {
  readonly apis: HttpApi[] = [];

  async open(on: TestDatabaseKind): Promise<void> {
    const first = await startHttpApi({ on });
    this.apis.push(first, await startHttpApi({ on, beside: first }));
  }

  async close(): Promise<void> {
    for (const api of this.apis.reverse()) await api.stop();
  }

  at(index: number): HttpApi {
    const api = this.apis[index % 2];
    if (!api) throw new Error('the instances are not started');
    return api;
  }

  get first(): HttpApi {
    return this.at(0);
  }

  post(path: string, body: object, key: string, instance = 0): Promise<TestAnswer> {
    return this.at(instance).server.post(path, JSON.stringify(body), { 'idempotency-key': key });
  }

  upload(bytes: string, fileName: string, key: string, { instance = 0, query = '' } = {}): Promise<TestAnswer> {
    const form = new FormData();
    form.append('file', new Blob([bytes], { type: 'text/markdown' }), fileName);
    return this.at(instance).server.call('POST', `/documents${query}`, {
      body: form,
      headers: { 'idempotency-key': key },
    });
  }

  /** As a process leaves a key that dies between its COMMIT and its answer. */
  async forgetAnswer(key: string): Promise<void> {
    const forgotten = await this.first.test.database.query(
      `update idempotency_key set status = null, headers = null, body = null where key = $1 returning 1`,
      [key],
    );
    expect(forgotten).toHaveLength(1);
  }

  async tasksOf(documentId: string): Promise<unknown[]> {
    return this.first.test.database.query('select id from task where document_id = $1', [documentId]);
  }
}

/** Every id in an answer: what it is about, without what changes with time. */
export function idsIn(answer: TestAnswer): string[] {
  return [...answer.text.matchAll(/"(\w+Id)":"(\d+)"/g)].map(([, name, id]) => `${name} ${id}`);
}

export const newKey = (): string => `key-${testIds.next()}`;

export function describeKeyedCalls(kind: TestDatabaseKind): void {
  const twins = new TwinApis();
  let planted: PlantedDocument;
  let order: { documentId: string; planId: string; operatorId: string };

  beforeAll(async () => {
    await twins.open(kind);
    await twins.first.server.post('/knowledge-bases', '{"name":"default"}');
    await twins.first.test.database.query('update knowledge_base set is_default = true');
  }, 60_000);
  afterAll(() => twins.close());
  beforeEach(async () => {
    planted = await plantDocument(twins.first.test.database);
    order = { documentId: planted.documentId, planId: planted.planId, operatorId: '7' };
  });

  describe('a request that is repeated with its key', () => {
    it('gets the same answer again, marked, from any instance', async () => {
      const key = newKey();
      const first = await twins.post('/index/build', order, key);
      const again = await twins.post('/index/build', order, key, 1);
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null]);
      expect([again.status, again.text]).toEqual([202, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(await twins.tasksOf(order.documentId)).toHaveLength(1);
    });

    it('is the same request whatever the order and the look of its fields', async () => {
      const key = newKey();
      const { documentId, planId, operatorId } = order;
      const first = await twins.post('/index/build', order, key);
      const body = JSON.stringify({ operatorId, planId, documentId }, null, 4);
      const again = await twins.at(1).server.post('/index/build', body, { 'idempotency-key': key });
      expect([again.status, again.text]).toEqual([202, first.text]);
    });

    it('many times at once, over two instances, is carried out once', async () => {
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => twins.post('/index/build', order, key, at)),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(202);
      expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
      expect(await twins.tasksOf(order.documentId)).toHaveLength(1);
    });

    it('was refused before, and is tried anew', async () => {
      const key = newKey();
      twins.first.publisher.refuse();
      const refused = await twins.post('/index/build', order, key);
      twins.first.publisher.onPublish = () => Promise.resolve();
      expect([refused.status, refused.body.code]).toEqual([503, 'BROKER_UNAVAILABLE']);
      const accepted = await twins.post('/index/build', order, key);
      expect([accepted.status, accepted.headers.get('idempotency-replayed')]).toEqual([202, null]);
    });

    it('after more than its time is another request', async () => {
      const key = newKey();
      const first = await twins.post('/knowledge-bases', { name: `aged ${key}` }, key);
      await twins.first.test.database.query(
        `update idempotency_key set created_at = clock_timestamp() - $2 * interval '1 ms' where key = $1`,
        [key, keyedCallTimes.keepMs + 1],
      );
      expect(first.status).toBe(201);
      expect((await twins.post('/knowledge-bases', { name: `aged ${key}` }, key)).body.code).toBe('NAME_TAKEN');
      expect((await twins.post('/knowledge-bases', { name: `other ${key}` }, key)).status).toBe(201);
    });
  });

  describe('another request with the same key', () => {
    it('is refused and creates nothing', async () => {
      const key = newKey();
      const other = await plantDocument(twins.first.test.database);
      await twins.post('/index/build', order, key);
      const { documentId, planId } = other;
      const refusals = [
        await twins.post('/index/build', { documentId, planId }, key, 1),
        await twins.post(`/documents/${documentId}/parse`, {}, key),
        await twins.post('/knowledge-bases', { name: key }, key),
        await twins.upload('# Pumps', 'pumps.md', key),
      ];
      for (const { status, body } of refusals) expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(await twins.tasksOf(documentId)).toEqual([]);
    });

    it('differs by a path or a query, too', async () => {
      const key = newKey();
      const other = await plantDocument(twins.first.test.database);
      const path = `/documents/${order.documentId}/parse`;
      expect((await twins.post(path, {}, key)).status).toBe(202);
      expect((await twins.post(`/documents/${other.documentId}/parse`, {}, key)).status).toBe(422);
      expect((await twins.post(`${path}?cancelRunning=true`, {}, key)).status).toBe(422);
      const bare = await twins.first.server.call('POST', path, { headers: { 'idempotency-key': key } });
      expect([bare.status, bare.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    });
  });

  describe('an upload with a key', () => {
    const objects = async (): Promise<number> =>
      (await readdir(join(twins.first.folder, 'sources'), { recursive: true })).length;

    it('is one document, however often it comes, and leaves one file', async () => {
      const key = newKey();
      const send = (instance: number) =>
        twins.upload(`# ${key}`, 'a.md', key, { instance, query: '?allowDuplicate=1' });
      const [first] = [await twins.upload(`# ${key}`, 'a.md', key, { query: '?allowDuplicate=true' })];
      expect(first.status).toBe(202);
      const kept = await objects();
      const again = await Promise.all(
        [0, 1, 0, 1].map((instance) =>
          twins.upload(`# ${key}`, 'a.md', key, { instance, query: '?allowDuplicate=true' }),
        ),
      );
      for (const { status, text } of again) expect([status, text]).toEqual([202, first.text]);
      expect((await send(0)).status).toBe(400);
      expect(await objects()).toBe(kept);
    });

    it('is another one with other bytes or another name', async () => {
      const key = newKey();
      await twins.upload(`# ${key}`, 'a.md', key);
      const kept = await objects();
      expect((await twins.upload(`# ${key}!`, 'a.md', key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
      expect((await twins.upload(`# ${key}`, 'b.md', key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
      expect(await objects()).toBe(kept);
    });

    it('whose answer was lost is not stored again', async () => {
      const key = newKey();
      const first = await twins.upload(`# ${key}`, 'a.md', key);
      const kept = await objects();
      await twins.forgetAnswer(key);
      const again = await twins.upload(`# ${key}`, 'a.md', key, { instance: 1 });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
      expect(idsIn(again)).toEqual(idsIn(first));
      expect(await objects()).toBe(kept);
    });
  });

  describe('a request whose process died', () => {
    it('after its commit is answered with what it created', async () => {
      const failed = await plantDocument(twins.first.test.database);
      const taskId = await plantTask(twins.first.test.database, failed);
      await twins.first.test.database.query(
        `update task set task_status = 4, finished_at = clock_timestamp() where id = $1`,
        [taskId],
      );
      await twins.first.test.database.query(`update document set source_hash = $2 where id = $1`, [
        failed.documentId,
        'a'.repeat(64),
      ]);
      const parsed = await plantDocument(twins.first.test.database);
      const requests: [string, object][] = [
        ['/index/build', order],
        ['/knowledge-bases', { name: `lost ${order.documentId}` }],
        [`/documents/${parsed.documentId}/parse`, {}],
        [`/tasks/${taskId}/retry`, { operatorId: '7' }],
        ['/index/rebuild', { documentIds: [parsed.documentId] }],
        [`/batches/${await failedBatch()}/retry-failed`, {}],
      ];
      for (const [path, body] of requests) {
        const key = newKey();
        const first = await twins.post(path, body, key);
        await twins.forgetAnswer(key);
        const again = await twins.post(path, body, key, 1);
        expect(idsIn(first).length).toBeGreaterThan(0);
        expect([path, again.status, idsIn(again)]).toEqual([path, first.status, idsIn(first)]);
        expect(again.status).toBeLessThan(300);
        const third = await twins.post(path, body, key);
        expect(third.text).toBe(again.text);
      }
    });

    /** A batch whose one document could not be given a task. */
    async function failedBatch(): Promise<string> {
      const { database } = twins.first.test;
      const batchId = await new BatchBench(database).accept({ documentIds: ['77'] });
      await database.query(
        `update batch_item set open = false, error = '{"code": "INTERNAL_ERROR", "message": "m"}' where batch_id = $1`,
        [batchId],
      );
      return batchId;
    }

    it('before it committed is carried out by a repetition once its lease is over', async () => {
      const key = newKey();
      await twins.first.test.database.query(
        `insert into idempotency_key (key, fingerprint, claim, claimed_until)
         values ($1, 'whatever', '00000000-0000-4000-8000-000000000000', clock_timestamp())`,
        [key],
      );
      const answer = await twins.post('/index/build', order, key);
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([202, null]);
    });
  });

  describe('a key', () => {
    it('has 1 to 255 visible ASCII characters', async () => {
      const keyed = (key: string) => twins.post('/index/build', { ...order, more: 1 }, key);
      for (const wrong of ['', 'a b', 'k'.repeat(256), 'schlüssel'.normalize('NFC')]) {
        const { status, body } = await keyed(wrong);
        const paths = (body.fields as { path: string }[]).map(({ path }) => path);
        expect([status, body.code, paths]).toEqual([400, 'INVALID_REQUEST', ['Idempotency-Key', 'more']]);
      }
      expect((await twins.post('/index/build', order, '!'.repeat(255))).status).toBe(202);
    });

    it('is not asked for, and costs nothing where there is none', async () => {
      const before = await twins.first.test.database.query('select count(*) from idempotency_key');
      expect((await twins.first.server.post('/index/build', JSON.stringify(order))).status).toBe(202);
      expect(await twins.first.test.database.query('select count(*) from idempotency_key')).toEqual(before);
    });
  });
}
