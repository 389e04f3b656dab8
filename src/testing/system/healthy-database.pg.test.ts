import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalFiles } from '../../adapters/local-files/local-files.js';
import { repositoriesOn } from '../../composition/repositories.js';
import type { Id } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { driftKinds } from '../../upkeep/drift/drift-kinds.js';
import { Reconcile } from '../../upkeep/reconcile.js';
import { ApiClient, at, type Fields } from '../api-client.js';
import { testIds } from '../factories.js';
import { faultText } from '../faults/fault-texts.js';
import { ServiceProcess } from '../service-process.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

let db: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  dataDir = await mkdtemp(join(tmpdir(), 'indexwright-healthy-'));
  service = await ServiceProcess.start({
    DATABASE_URL: (db.connection.address as { connectionString: string }).connectionString,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  });
  api = new ApiClient(service.baseUrl);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await db.close();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

const remove = async (path: string): Promise<Fields> =>
  (await (await fetch(api.baseUrl + path, { method: 'DELETE' })).json()) as Fields;
const ended = async (body: Fields, path = 'task.taskId') =>
  at<string>(await api.ended(at<Id>(body, path)), 'taskStatus.name');
const build = (documentId: Id, planId: Id) => api.build(documentId, planId);

async function newBase(name: string): Promise<Id> {
  return at<Id>((await api.post('/knowledge-bases', { name })).body, 'knowledgeBaseId');
}

async function builtIn(knowledgeBaseId: Id, copy: number): Promise<Id> {
  const { body } = await api.upload(`lock-${copy}.md`, faultText(copy), { knowledgeBaseId });
  const documentId = at<Id>(body, 'document.documentId');
  await ended(body);
  const { body: document } = await api.get(`/documents/${documentId}`);
  const planId = at<Id>(document, 'currentPlanId');
  await api.post(`/plans/${planId}/confirm`);
  expect(await ended((await build(documentId, planId)).body, 'taskId')).toBe('SUCCESS');
  return documentId;
}

/** What reconciliation says of the database as it is now. */
async function findings(): Promise<unknown> {
  const { body } = await api.post('/admin/reconcile', {});
  return { findings: body['findings'], incomplete: body['incomplete'] };
}

const nothing = { findings: [], incomplete: [] };

describe('reconciliation of a database on which only the service itself has worked', () => {
  it('finds nothing before anything was done', async () => {
    expect(await findings()).toEqual(nothing);
  });

  it('finds nothing after uploads, good and bad ones, and builds', async () => {
    const base = await newBase('canals');
    for (const copy of [0, 1, 2, 3]) await builtIn(base, copy);
    await ended((await api.upload('empty.md', '', { knowledgeBaseId: base })).body);
    await ended((await api.upload('scan.bin', Buffer.from([0, 1, 2, 255]), { knowledgeBaseId: base })).body);
    await api.upload('lock-1.md', faultText(1), { knowledgeBaseId: base });
    expect(await findings()).toEqual(nothing);
  }, 120_000);

  it('finds nothing after a batch, another plan, another parse and a new source', async () => {
    const base = await newBase('rivers');
    const [first, second] = [await builtIn(base, 10), await builtIn(base, 11)];
    const { body } = await api.post('/index/rebuild', { knowledgeBaseId: base });
    await api.until(`/batches/${at<Id>(body, 'batchId')}`, (batch) => batch['state'] === 'DONE');
    await api.post(`/documents/${first}/plans/recommend`);
    await ended((await api.post(`/documents/${second}/parse`)).body);
    const form = new FormData();
    form.append('file', new Blob([faultText(12)]), 'other.md');
    const answer = await fetch(`${api.baseUrl}/documents/${first}/source`, { method: 'PUT', body: form });
    await ended((await answer.json()) as Fields);
    expect(await findings()).toEqual(nothing);
  }, 120_000);

  it('finds nothing after builds were cancelled, while one runs, and after deletions of documents and bases', async () => {
    const base = await newBase('lakes');
    const [kept, deleted] = [await builtIn(base, 20), await builtIn(base, 21)];
    const planId = at<Id>((await api.get(`/documents/${kept}`)).body, 'currentPlanId');
    const taskId = at<Id>((await build(kept, planId)).body, 'taskId');
    expect(await findings()).toEqual(nothing);
    await api.post(`/tasks/${taskId}/cancel`);
    await api.ended(taskId);
    expect(await findings()).toEqual(nothing);
    const removal = await remove(`/documents/${deleted}`);
    expect(await findings()).toEqual(nothing);
    expect(await ended(removal)).toBe('SUCCESS');
    expect(await ended(await remove(`/knowledge-bases/${base}`))).toBe('SUCCESS');
    expect(await findings()).toEqual(nothing);
  }, 120_000);

  it('finds nothing when all of it has grown old and upkeep has tidied', async () => {
    await db.database.query(`update index_version set created_at = created_at - interval '2 days'`);
    await db.database.query(
      `update task set created_at = created_at - interval '2 days', sent_at = sent_at - interval '2 days'`,
    );
    const { body } = await api.post('/admin/upkeep/drop-versions/run');
    expect(body).toMatchObject({ pass: 'drop-versions' });
    const repositories = repositoriesOn(db.database, testIds);
    const objects = new LocalFiles(join(dataDir, 'objects'));
    await objects.start();
    const kinds = driftKinds(
      { ...repositories, database: db.database, objects, ids: testIds },
      { maxRetryCount: 3, resendAfterMs: 1, fileSafeAgeMs: 0, onOutbox: () => undefined },
    );
    const report = await new Reconcile(kinds.all, repositories.upkeep, silentLogger).run(
      [],
      new AbortController().signal,
    );
    expect(report).toMatchObject(nothing);
  });

  it('has repaired nothing on its timer either', async () => {
    expect(await db.database.query(`select task_id from task_log where event = 'REPAIRED'`)).toEqual([]);
    const [pass] = await db.database.query<{ counts: Fields | null }>(
      `select last_counts as counts from upkeep_pass where name = 'reconcile'`,
    );
    expect(pass?.counts ?? { found: 0 }).toMatchObject({ found: 0 });
  });
});
