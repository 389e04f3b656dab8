import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at } from '../api-client.js';
import { servedRows } from '../served-rows.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import type { FaultyProcess } from './faulty-process.js';
import type { FailpointName } from './failpoints.js';

let bench: FaultBench;
let worker: FaultyProcess;
let api: ApiClient;
let copies = 0;

beforeAll(async () => {
  bench = await FaultBench.open();
  const [front, back] = await Promise.all([bench.start('api'), bench.start('worker,relay,upkeep')]);
  api = new ApiClient(front.service.baseUrl);
  worker = back;
}, 240_000);

afterAll(() => bench.close(), 60_000);

afterEach(async () => expect(await bench.violations()).toEqual([]), 120_000);

interface Planned {
  readonly documentId: Id;
  readonly planId: Id;
}

const confirmed = (text = faultText((copies += 1))): Promise<Planned> =>
  api.confirmed(`copy-${(copies += 1)}.md`, text);

async function accepted({ documentId, planId }: Planned): Promise<Id> {
  const { status, body } = await api.build(documentId, planId);
  expect(status).toBe(202);
  bench.accepted.push(at<Id>(body, 'taskId'));
  return at(body, 'taskId');
}

async function endOf(taskId: Id): Promise<string> {
  return at(await api.ended(taskId), 'taskStatus.name');
}

async function built(document: Planned): Promise<Id> {
  expect(await endOf(await accepted(document))).toBe('SUCCESS');
  return document.documentId;
}

async function edited(documentId: Id, maxTokens: number): Promise<Planned> {
  const steps = [
    { level: 'PARENT', strategy: 1 },
    { level: 'CHILD', strategy: 2, params: { maxTokens, overlapTokens: 0 } },
  ];
  const { status, body } = await api.post(`/documents/${documentId}/plans`, { steps });
  expect(status).toBe(201);
  const planId = at<Id>(body, 'planId');
  expect((await api.post(`/plans/${planId}/confirm`, { operatorId: '7' })).status).toBe(200);
  return { documentId, planId };
}

const chunksOf = (documentId: Id): Promise<unknown[]> =>
  bench.database.query('select 1 from chunk where document_id = $1', [documentId]);

describe('cancelling', () => {
  it('a long build ends it within two seconds', async () => {
    const long = Array.from({ length: 40 }, (_, i) => faultText().replaceAll('canal', `canal ${i}`)).join('\n\n');
    const taskId = await accepted(await confirmed(long));
    await api.until(`/tasks/${taskId}`, (task) => at<number>(task, 'currentStage.code') === 5);
    expect((await api.post(`/tasks/${taskId}/cancel`)).status).toBe(202);
    const askedAt = performance.now();
    expect(await endOf(taskId)).toBe('CANCELLED');
    expect(performance.now() - askedAt).toBeLessThan(2_000);
  }, 120_000);

  it('a parse that waits and parsing again leaves the consumer at work, for others too', async () => {
    worker.service.signal('SIGSTOP');
    const { body } = await api.upload('cancelled.md', faultText((copies += 1)));
    const documentId = at<Id>(body, 'document.documentId');
    expect((await api.post(`/tasks/${at<Id>(body, 'task.taskId')}/cancel`)).status).toBe(202);
    const again = await api.post(`/documents/${documentId}/parse`);
    worker.service.signal('SIGCONT');
    expect(await endOf(at(again.body, 'task.taskId'))).toBe('SUCCESS');
    await built(await confirmed());
  }, 120_000);
});

describe('a document that failed', () => {
  it('can be deleted, and its bytes be uploaded again', async () => {
    const { body } = await api.upload('blank.md', '  \n');
    const documentId = at<Id>(body, 'document.documentId');
    expect(await endOf(at(body, 'task.taskId'))).toBe('FAILED');
    const deletion = await api.delete(`/documents/${documentId}`);
    expect(await endOf(at(deletion.body, 'task.taskId'))).toBe('SUCCESS');
    expect((await api.get(`/documents/${documentId}`)).status).toBe(404);
    const again = await api.upload('blank.md', '  \n');
    expect([again.status, again.body['duplicateOf']]).toEqual([202, undefined]);
  }, 120_000);

  it('to build can be planned anew and built', async () => {
    const document = await confirmed();
    const taskId = await failedBuild(document);
    await built(await edited(document.documentId, 60));
    // What a person planned since then is not overtaken by the old task.
    expect((await api.post(`/tasks/${taskId}/retry`)).body['code']).toBe('TASK_SUPERSEDED');
  }, 120_000);

  it('to build is not taken for built by a rebuild of what is stale', async () => {
    const document = await confirmed();
    await failedBuild(document);
    const { body } = await api.post('/index/rebuild', { documentIds: [document.documentId], onlyStale: true });
    const done = await api.until(`/batches/${at<Id>(body, 'batchId')}`, (batch) => batch['state'] === 'DONE');
    expect(done['counts']).toMatchObject({ succeeded: 1, skipped: 0 });
    expect((await servedRows(bench.database, document.documentId)).length).toBeGreaterThan(8);
  }, 120_000);

  /** Fails for good in the middle, before any vector is stored. */
  async function failedBuild(document: Planned): Promise<Id> {
    worker.arm('build: text cut', 'hold');
    const taskId = await accepted(document);
    await worker.reached('build: text cut');
    await bench.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    );
    await bench.database.query('create trigger refuse before insert on chunk for each row execute function refuse()');
    worker.release('build: text cut');
    expect(await endOf(taskId)).toBe('FAILED');
    await bench.database.query('drop function refuse cascade');
    return taskId;
  }
});

describe('deleting', () => {
  it('what waits and what is built leaves the base free for others', async () => {
    worker.service.signal('SIGSTOP');
    const waiting = await api.upload('waits.md', faultText((copies += 1)));
    worker.service.signal('SIGCONT');
    const document = await confirmed();
    worker.arm('build: batch embedded', 'hold');
    await accepted(document);
    await worker.reached('build: batch embedded');
    for (const documentId of [at<Id>(waiting.body, 'document.documentId'), document.documentId]) {
      expect((await api.delete(`/documents/${documentId}`)).status).toBe(202);
      expect((await api.get(`/documents/${documentId}`)).status).toBe(404);
    }
    worker.release('build: batch embedded');
    await built(await confirmed());
    await bench.settle();
    expect(await chunksOf(document.documentId)).toEqual([]);
  }, 120_000);

  const boundaries: readonly FailpointName[] = [
    'build: claimed',
    'build: text cut',
    'build: chunks stored',
    'build: cut and done',
    'build: vectorized and done',
    'build: version verified',
    'build: version switched, not committed',
    'build: task ended, not committed',
  ];

  it.each(boundaries)(
    'while the build stands at "%s" leaves nothing of it',
    async (name) => {
      const document = await confirmed();
      worker.arm(name, 'hold');
      const taskId = await accepted(document);
      await worker.reached(name);
      // Where the build holds the document, the deletion waits for it.
      const deletion = api.delete(`/documents/${document.documentId}`);
      worker.release(name);
      const { status, body } = await deletion;
      expect(status).toBe(202);
      expect(await endOf(at(body, 'task.taskId'))).toBe('SUCCESS');
      expect(['CANCELLED', 'SUCCESS']).toContain(await endOf(taskId));
      expect(await chunksOf(document.documentId)).toEqual([]);
    },
    120_000,
  );
});

describe('deleting', () => {
  const boundaries: readonly FailpointName[] = [
    'parse: claimed',
    'parse: source read',
    'parse: text stored',
    'parse: plan proposed',
    'parse: plan inserted, not committed',
  ];

  it.each(boundaries)(
    'while the parse stands at "%s" leaves nothing of it',
    async (name) => {
      worker.arm(name, 'hold');
      const { body } = await api.upload(`copy-${(copies += 1)}.md`, faultText(copies));
      const documentId = at<Id>(body, 'document.documentId');
      await worker.reached(name);
      const deletion = api.delete(`/documents/${documentId}`);
      worker.release(name);
      expect(await endOf(at((await deletion).body, 'task.taskId'))).toBe('SUCCESS');
      expect(['CANCELLED', 'SUCCESS']).toContain(await endOf(at(body, 'task.taskId')));
      expect(await bench.database.query('select 1 from document_text where document_id = $1', [documentId])).toEqual(
        [],
      );
    },
    120_000,
  );
});

describe('building', () => {
  it('with one plan, another one, and the first again gives the first rows again, all of them', async () => {
    const first = await confirmed();
    await built(await edited(first.documentId, 80));
    const rows = await servedRows(bench.database, first.documentId);
    await built(await edited(first.documentId, 40));
    expect(await servedRows(bench.database, first.documentId)).not.toEqual(rows);
    await built(await edited(first.documentId, 80));
    expect(await servedRows(bench.database, first.documentId)).toEqual(rows);
  }, 120_000);

  it('again, in several batches of vectors, removes nothing of the new rows with the old ones', async () => {
    const document = await confirmed();
    await built(document);
    const rows = await servedRows(bench.database, document.documentId);
    expect(rows.length).toBeGreaterThan(8);
    await built(document);
    expect(await servedRows(bench.database, document.documentId)).toEqual(rows);
    const versions = await bench.database.query('select 1 from index_version where document_id = $1 and state = 2', [
      document.documentId,
    ]);
    expect(versions).toHaveLength(1);
  }, 120_000);

  it('what stands twice in one document, and in two, keeps each of them', async () => {
    const repeats = 5;
    const paragraph = 'The ferry leaves the north quay at seven in the morning and comes back at nine in the evening.';
    const text = Array.from({ length: repeats }, () => `## Day\n\n${paragraph}\n`).join('\n');
    const one = await built(await confirmed(`# One\n\n${text}`));
    const two = await built(await confirmed(`# Two\n\n${text}`));
    const { body } = await api.get(`/documents/${one}`);
    const rows = await servedRows(bench.database, one);
    const children = rows.filter((row) => (row as { level: string }).level === 'CHILD') as { content: string }[];
    expect(children).toHaveLength(at(body, 'chunkCount'));
    const deletion = await api.delete(`/documents/${two}`);
    expect(await endOf(at(deletion.body, 'task.taskId'))).toBe('SUCCESS');
    expect(await servedRows(bench.database, one)).toEqual(rows);
    expect(
      children
        .map(({ content }) => content)
        .join()
        .split(paragraph),
    ).toHaveLength(repeats + 1);
  }, 120_000);

  it('goes on with what was frozen when the plan is changed in the middle', async () => {
    const document = await edited((await confirmed()).documentId, 80);
    await built(document);
    const rows = await servedRows(bench.database, document.documentId);
    worker.arm('build: batch embedded', 'hold');
    const taskId = await accepted(document);
    await worker.reached('build: batch embedded');
    await edited(document.documentId, 40);
    worker.release('build: batch embedded');
    expect(await endOf(taskId)).toBe('SUCCESS');
    expect(await servedRows(bench.database, document.documentId)).toEqual(rows);
    expect((await api.get(`/documents/${document.documentId}`)).body['stale']).toBe(true);
  }, 120_000);
});
