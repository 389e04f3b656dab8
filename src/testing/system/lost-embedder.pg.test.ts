import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at, type Fields } from '../api-client.js';
import { faultText } from '../faults/fault-texts.js';
import { servedRows } from '../served-rows.js';
import { ServiceProcess } from '../service-process.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

const batch = 8;
/** Of some dozens of chunks, so that there is time to strike. */
const text = (copy: number): string => `${faultText().repeat(3)}${faultText(copy)}`;

let db: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  dataDir = await mkdtemp(join(tmpdir(), 'indexwright-lost-'));
  service = await ServiceProcess.start({
    DATABASE_URL: (db.connection.address as { connectionString: string }).connectionString,
    DATA_DIR: dataDir,
    EMBED_BATCH: String(batch),
    EMBEDDING_PROCESSES: '1',
    RETRY_DELAY_MS: '100',
    LOG_LEVEL: 'warn',
  });
  api = new ApiClient(service.baseUrl);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await db.close();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

/** The service's process that holds the embedding model. */
async function embeddingPid(): Promise<number | undefined> {
  const children = await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8');
  for (const pid of children.trim().split(' ')) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('embedding-child')) return Number(pid);
  }
  return undefined;
}

const lines = async (taskId: Id, event: string) =>
  (await api.all(`/tasks/${taskId}/logs`)).filter((line) => line['eventType'] === event);

/** Kills the process when it has got on since it was killed last, until it was lost over a batch so many times. */
async function loseTimes(taskId: Id, times: number): Promise<Fields[]> {
  for (let killedAt = 0; ;) {
    const lost = await lines(taskId, 'RETRY_SCHEDULED');
    if (lost.length >= times) return lost;
    const task = (await api.get(`/tasks/${taskId}`)).body;
    if (task['nextPollMs'] === null) throw new Error(`the task ended: ${JSON.stringify(task)}`);
    const done = at<Fields[]>(task, 'stages').find((each) => at(each, 'stage.name') === 'VECTORIZE')?.[
      'done'
    ] as number;
    const pid = await embeddingPid();
    if (pid === undefined || done <= killedAt) continue;
    killedAt = done;
    process.kill(pid, 'SIGKILL');
  }
}

it('names stage and batch when its embedding process is killed, and goes on with half of the batch each time', async () => {
  const quiet = await api.confirmed('quiet.md', text(0));
  await api.ended(at((await api.build(quiet.documentId, quiet.planId)).body, 'taskId'));
  const { documentId, planId } = await api.confirmed('struck.md', text(1));
  const taskId = at<Id>((await api.build(documentId, planId)).body, 'taskId');
  const lost = await loseTimes(taskId, 2);
  expect(at(await api.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
  const [first, second] = lost.map((line) => at<Fields>(line, 'metadata'));
  const message = (size: number) =>
    expect.stringMatching(
      new RegExp(
        `^The embedding process was killed by SIGKILL. Its batch was ${size} of \\d+ chunks, from ordinal \\d+ to \\d+.$`,
      ),
    );
  expect(first).toMatchObject({ code: 'EMBEDDING_PROCESS_LOST', stage: 5, attempt: 1, message: message(batch) });
  expect(second).toMatchObject({ code: 'EMBEDDING_PROCESS_LOST', stage: 5, attempt: 2, message: message(batch / 2) });
  expect(await servedRows(db.database, documentId)).toEqual(await servedRows(db.database, quiet.documentId));
}, 180_000);
