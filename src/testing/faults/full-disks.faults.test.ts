import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at, type Answer } from '../api-client.js';
import { servedRows } from '../served-rows.js';
import { SmallDisk } from '../small-disk.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import type { FaultyProcess } from './faulty-process.js';

const databaseMegabytes = 192;
const mountable = await SmallDisk.canBeMounted();

(mountable ? describe : describe.skip)('a disk without space', () => {
  let bench: FaultBench;
  let databaseDisk: SmallDisk;
  let dataDisk: SmallDisk;
  let tempDisk: SmallDisk;
  let folder: string;
  let processes: FaultyProcess[];
  let api: ApiClient;
  let expected: unknown[];
  let copies = 0;

  beforeAll(async () => {
    bench = await FaultBench.open({
      prepareFolder: async (data) => {
        databaseDisk = await SmallDisk.mountOn(data, databaseMegabytes);
        return () => databaseDisk.unmount();
      },
    });
    folder = await mkdtemp(join(tmpdir(), 'full-disks-'));
    const own = await Promise.all(['data', 'temp'].map((name) => mkdtemp(join(folder, name))));
    [dataDisk, tempDisk] = (await Promise.all(own.map((each) => SmallDisk.mountOn(each, 4)))) as [SmallDisk, SmallDisk];
    const env = { DATA_DIR: dataDisk.folder, TMPDIR: tempDisk.folder };
    processes = await Promise.all([bench.start('api', env), bench.start('worker,relay,upkeep', env)]);
    api = new ApiClient((processes[0] as FaultyProcess).service.baseUrl);
    expected = await servedRows(bench.database, (await built()).documentId);
  }, 240_000);

  afterAll(async () => {
    for (const disk of [databaseDisk, dataDisk, tempDisk]) await disk.free();
    await Promise.all(processes.map((each) => each.service.stop()));
    await bench.close();
    for (const disk of [dataDisk, tempDisk]) await disk.unmount();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** Uploads, confirms, builds, and waits for the end. */
  async function built(): Promise<{ documentId: Id; task: Answer['body'] }> {
    copies += 1;
    const { documentId, planId } = await api.confirmed(`copy-${copies}.md`, faultText(copies));
    const { status, body } = await api.build(documentId, planId);
    expect(status).toBe(202);
    bench.accepted.push(at<Id>(body, 'taskId'));
    return { documentId, task: await api.ended(at(body, 'taskId')) };
  }

  async function worksAgain(): Promise<void> {
    const { documentId } = await built();
    expect(await bench.violations()).toEqual([]);
    expect(await servedRows(bench.database, documentId)).toEqual(expected);
  }

  const files = async (): Promise<string[]> =>
    (await readdir(dataDisk.folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();

  it('under the sources has uploads refused with its reason, and keeps no half of any', async () => {
    await dataDisk.fill();
    const before = await files();
    const documents = await bench.database.query('select id from document');
    copies += 1;
    // A small one, one of several parts, and a new source of a document that is there.
    const [existing] = documents as { id: Id }[];
    for (const content of [faultText(copies), 'x'.repeat(600_000)]) {
      const refused = await api.upload(`full-${copies}.md`, content);
      expect([refused.status, refused.body['code']]).toEqual([503, 'STORAGE_UNAVAILABLE']);
      expect(refused.body['detail']).toBe('The file cannot be stored: there is no space left.');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(existing).toBeDefined();
    expect(await files()).toEqual(before);
    expect(await bench.database.query('select id from document')).toEqual(documents);
    // What needs no new file goes on.
    expect((await api.get(`/documents/${existing?.id}/source`)).status).toBe(200);
    await dataDisk.free();
    await worksAgain();
  }, 120_000);

  it('under the temporary files stops nothing', async () => {
    await tempDisk.fill();
    await worksAgain();
    await tempDisk.free();
  }, 120_000);

  it('under the database has calls refused and work tried again, and all ends well with space again', async () => {
    const worker = processes[1] as FaultyProcess;
    const document = await api.confirmed(`copy-${(copies += 1)}.md`, faultText(copies));
    worker.arm('build: text cut', 'hold');
    const { body } = await api.build(document.documentId, document.planId);
    bench.accepted.push(at<Id>(body, 'taskId'));
    await worker.reached('build: text cut');
    await databaseDisk.fill();
    worker.release('build: text cut');
    expect(await refusedForWantOfSpace()).toMatchObject({
      status: 503,
      code: 'DATABASE_UNAVAILABLE',
      detail: 'The database has no space left.',
    });
    await said(worker, 'The database has no space left.');
    await databaseDisk.free();
    const task = await api.ended(at(body, 'taskId'));
    expect(at(task, 'taskStatus.name')).toBe('SUCCESS');
    expect(at<number>(task, 'attempt')).toBeGreaterThan(1);
    expect(await servedRows(bench.database, document.documentId)).toEqual(expected);
    await worksAgain();
  }, 240_000);

  /** Uploads until there is no room for one more: a few rows still fit into pages that are there already. */
  async function refusedForWantOfSpace(): Promise<Answer['body']> {
    for (let tries = 0; tries < 200; tries += 1) {
      const { status, body } = await api.upload(`room-${tries}.md`, faultText((copies += 1)));
      if (status !== 202) return body;
    }
    throw new Error('the full disk took 200 uploads');
  }

  async function said({ service }: FaultyProcess, what: string): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!service.text.includes(what)) {
      if (Date.now() > deadline) throw new Error(`never said "${what}":\n${service.text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});
