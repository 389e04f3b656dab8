import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, at } from '../api-client.js';
import { OwnRedis } from '../own-redis.js';
import { ServiceProcess } from '../service-process.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

const handbook = readFileSync(new URL('../../../docs/samples/handbook.md', import.meta.url), 'utf8');
const long = Array.from({ length: 6 }, (_, i) => handbook.replaceAll('Lantern Bay', `Lantern Bay ${i}`)).join('\n');

let db: TestDatabase;
let redis: OwnRedis;
let dataDir: string;
let front: ServiceProcess;
let worker: ServiceProcess;
let api: ApiClient;
let copies = 0;

const env = (roles: string, database: TestDatabase): Record<string, string> => ({
  ROLES: roles,
  DATABASE_URL: (database.connection.address as { connectionString: string }).connectionString,
  REDIS_URL: redis.url,
  DATA_DIR: dataDir,
  LEASE_MS: '2000',
  UPKEEP_INTERVAL_MS: '300',
  EMBED_BATCH: '8',
  EMBEDDING_PROCESSES: '1',
  LOG_LEVEL: 'info',
});

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  redis = await OwnRedis.create();
  dataDir = mkdtempSync(join(tmpdir(), 'indexwright-redis-'));
  front = await ServiceProcess.start(env('api,relay,upkeep', db));
  worker = await ServiceProcess.start(env('worker', db));
  api = new ApiClient(front.baseUrl);
}, 120_000);

afterAll(async () => {
  redis.wake();
  await Promise.all([front.stop(), worker.stop()]);
  await redis.remove();
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Another document with the same text; its build is accepted. */
async function build(): Promise<string> {
  copies += 1;
  const { documentId, planId } = await api.confirmed(`copy-${copies}.md`, long + '\n'.repeat(copies));
  return at<string>((await api.build(documentId, planId)).body, 'taskId');
}

/** Ended well, after as many attempts, with one version switched in, and no more written than is served. */
async function endedWell(taskId: string, attempt: number): Promise<void> {
  const task = await api.ended(taskId);
  expect([at(task, 'taskStatus.name'), at(task, 'attempt')]).toEqual(['SUCCESS', attempt]);
  const events = (await api.all(`/tasks/${taskId}/logs`)).map((line) => line['eventType']);
  expect(events.filter((event) => event === 'SWITCHED' || event === 'SUCCESS')).toHaveLength(2);
  const [rows] = await db.database.query<{ doubled: string; stray: string }>(
    `select count(*) - count(distinct (c.level, c.ordinal)) as doubled,
            count(*) filter (where c.version_id <> d.active_version_id) as stray
       from chunk c join document d on d.id = c.document_id join task t on t.document_id = d.id where t.id = $1`,
    [taskId],
  );
  expect(rows).toEqual({ doubled: '0', stray: '0' });
}

const redisHealth = async (): Promise<unknown> => {
  const view = at<{ name: string }[]>((await api.get('/health/ready')).body, 'dependencies');
  return view.find(({ name }) => name === 'redis');
};

const underWay = (taskId: string) => api.until(`/tasks/${taskId}`, (task) => at<number>(task, 'stages.1.done') > 0);

describe('builds beside a Redis', () => {
  it.each([
    ['killed', () => redis.kill()],
    ['hung', () => Promise.resolve(redis.hang())],
    ['started again, and empty', () => redis.kill().then(() => redis.start())],
  ] as const)(
    'that is %s end well, those under way and those that follow',
    async (_how, harm) => {
      const before = await build();
      await underWay(before);
      await harm();
      const after = await build();
      await endedWell(before, 1);
      await endedWell(after, 1);
      expect((await api.get('/health/ready')).status).toBe(200);
      redis.wake();
      await redis.start();
    },
    120_000,
  );

  it('say that it is there, and that nothing needs it', async () => {
    await api.until('/health/ready', (view) =>
      at<{ name: string; up: boolean }[]>(view, 'dependencies').some(({ name, up }) => name === 'redis' && up),
    );
    expect(await redisHealth()).toMatchObject({ needed: false, up: true });
  }, 60_000);

  it('go on elsewhere when their worker is killed, whatever the life of its lock', async () => {
    const taskId = await build();
    await underWay(taskId);
    worker.signal('SIGKILL');
    await worker.ended();
    await redis.tell('SET', `indexwright:lock:index-task:${taskId}`, 'of the dead', 'EX', '3600');
    worker = await ServiceProcess.start(env('worker', db));
    await endedWell(taskId, 2);
    expect(await redis.tell('GET', `indexwright:lock:index-task:${taskId}`)).toMatch('of the dead');
  }, 120_000);
});

describe('a process', () => {
  it('stops in time while its Redis hangs, and starts without one', async () => {
    redis.hang();
    expect(await worker.stop()).toBe(0);
    worker = await ServiceProcess.start(env('worker', db));
    expect(worker.text).toMatch('redis does not answer');
    await endedWell(await build(), 1);
    redis.wake();
  }, 120_000);
});
