import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at } from '../api-client.js';
import { servedRows } from '../served-rows.js';
import { SmallDisk } from '../small-disk.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import type { FaultyProcess } from './faulty-process.js';

const run = promisify(execFile);
const mountable = await SmallDisk.canBeMounted();

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

/** Where a document's stored bytes lie. */
async function fileOf(documentId: Id): Promise<string> {
  const [row] = await bench.database.query<{ key: string }>('select source_key as key from document where id = $1', [
    documentId,
  ]);
  return join(bench.dataDir, 'objects', row?.key ?? 'none');
}

const harms: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  gone: (file) => rm(file),
  'another one': (file) => writeFile(file, '# Not what was uploaded\n'),
  'cut short': (file) => truncate(file, 100),
  'a folder': (file) => rm(file).then(() => mkdir(file)),
  'a link': (file) => rm(file).then(() => symlink('/etc/hostname', file)),
};

/** Uploads while the worker stands still, and gives the ids. */
async function uploaded(): Promise<{ documentId: Id; taskId: Id }> {
  copies += 1;
  const { body } = await api.upload(`copy-${copies}.md`, faultText(copies));
  return { documentId: at(body, 'document.documentId'), taskId: at(body, 'task.taskId') };
}

async function failedForItsSource(documentId: Id, taskId: Id): Promise<void> {
  const task = await api.ended(taskId);
  expect(task).toMatchObject({
    taskStatus: { name: 'FAILED' },
    attempt: 1,
    retryCount: 0,
    error: { code: 'SOURCE_CHANGED', retryable: false, nextStep: 'Upload the file again.' },
  });
  const { body } = await api.get(`/documents/${documentId}`);
  expect(body).toMatchObject({
    parseStatus: { name: 'PARSE_FAILED' },
    indexStatus: { name: 'WAIT_BUILD' },
    textRevision: 0,
    error: { code: 'SOURCE_CHANGED', nextStep: 'Upload the file again.' },
  });
  expect(await bench.violations()).toEqual([]);
}

describe('a parse whose source is', () => {
  it.each(Object.entries(harms))(
    '%s before it begins fails at once, and says what to do',
    async (_, harm) => {
      worker.service.signal('SIGSTOP');
      const { documentId, taskId } = await uploaded();
      await harm(await fileOf(documentId));
      worker.service.signal('SIGCONT');
      await failedForItsSource(documentId, taskId);
    },
    120_000,
  );

  it.each(Object.entries(harms))(
    '%s under its hands fails at once, and says what to do',
    async (_, harm) => {
      worker.arm('parse: document marked, not committed', 'hold');
      const { documentId, taskId } = await uploaded();
      await worker.reached('parse: document marked, not committed');
      await harm(await fileOf(documentId));
      worker.release('parse: document marked, not committed');
      await failedForItsSource(documentId, taskId);
    },
    120_000,
  );

  it('gone takes a new source afterwards', async () => {
    worker.service.signal('SIGSTOP');
    const { documentId, taskId } = await uploaded();
    await rm(await fileOf(documentId));
    worker.service.signal('SIGCONT');
    await api.ended(taskId);
    const { status, body } = await api.renew(documentId, 'again.md', faultText((copies += 1)));
    expect(status).toBe(202);
    expect(at(await api.ended(at(body, 'task.taskId')), 'taskStatus.name')).toBe('SUCCESS');
    expect(await bench.violations()).toEqual([]);
  }, 120_000);

  (mountable ? it : it.skip)(
    'on a disk that fails is tried again until the disk answers',
    async () => {
      worker.service.signal('SIGSTOP');
      const { documentId, taskId } = await uploaded();
      const file = await fileOf(documentId);
      // Reads from where nothing lies fail as those from a broken disk do.
      await run('mount', ['--bind', `/proc/${process.pid}/mem`, file]);
      try {
        worker.service.signal('SIGCONT');
        const waiting = await api.until(`/tasks/${taskId}`, (task) => Boolean(task['error']));
        expect(waiting['error']).toMatchObject({ code: 'SOURCE_UNREADABLE', retryable: true });
      } finally {
        await run('umount', ['--lazy', file]);
      }
      expect(at(await api.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
      expect(await bench.violations()).toEqual([]);
    },
    120_000,
  );
});

it('a build whose source is gone is made of the text that was frozen, and a parse that fails keeps it', async () => {
  const { documentId, planId } = await api.confirmed(`copy-${(copies += 1)}.md`, faultText(copies));
  await rm(await fileOf(documentId));
  const { body } = await api.build(documentId, planId);
  bench.accepted.push(at<Id>(body, 'taskId'));
  expect(at(await api.ended(at(body, 'taskId')), 'taskStatus.name')).toBe('SUCCESS');
  const served = await servedRows(bench.database, documentId);
  expect(served.length).toBeGreaterThan(8);
  const again = await api.post(`/documents/${documentId}/parse`);
  expect(at(await api.ended(at(again.body, 'task.taskId')), 'error.code')).toBe('SOURCE_CHANGED');
  expect(await servedRows(bench.database, documentId)).toEqual(served);
  expect((await api.get(`/documents/${documentId}`)).body).toMatchObject({ currentPlanId: planId, textRevision: 1 });
  expect(await bench.violations()).toEqual([]);
}, 120_000);
