import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient, at } from '../api-client.js';
import { KafkaTestBroker, testBrokers } from '../contract/kafka-broker.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { ServiceProcess } from '../service-process.js';

/** Rows of a document's served version, without the ids that differ from build to build. */
const rowsSql = `
  select c.level, c.ordinal, c.parent_ordinal, c.char_start, c.char_end, c.content, c.tokens, c.overlap_start, c.rule,
         c.terms::text, v.embedding::text
    from document d join chunk c on c.version_id = d.active_version_id
    left join chunk_vector_384 v on v.version_id = c.version_id and v.ordinal = c.ordinal and c.level = 'CHILD'
   where d.id = $1 order by c.level, c.ordinal`;

const handbook = readFileSync(new URL('../../../docs/samples/handbook.md', import.meta.url), 'utf8');
const long = Array.from({ length: 12 }, (_, i) => handbook.replaceAll('Lantern Bay', `Lantern Bay ${i}`)).join('\n');

let db: TestDatabase;
let broker: KafkaTestBroker;
let dataDir: string;
let front: ServiceProcess;
let api: ApiClient;
let expected: unknown[];
const workers: ServiceProcess[] = [];

const env = (roles: string): Record<string, string> => ({
  ROLES: roles,
  DATABASE_URL: (db.connection.address as { connectionString: string }).connectionString,
  BROKER: 'kafka',
  KAFKA_BROKERS: testBrokers().join(','),
  TOPIC_PREFIX: broker.options.prefix,
  DATA_DIR: dataDir,
  LEASE_MS: '2000',
  UPKEEP_INTERVAL_MS: '300',
  EMBED_BATCH: '8',
  EMBEDDING_PROCESSES: '1',
  LOG_LEVEL: 'warn',
});

async function startWorker(): Promise<ServiceProcess> {
  const worker = await ServiceProcess.start(env('worker'));
  workers.push(worker);
  return worker;
}

const rowsOf = async (documentId: string) => db.database.query(rowsSql, [documentId]);

/** Holds a lock on a connection of its own, so that a worker stands still at a place of the test's choosing. */
async function holdLock(statement: string): Promise<() => Promise<void>> {
  const runner = db.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(statement);
  return async () => {
    await runner.rollbackTransaction();
    await runner.release();
  };
}

const blocked = () =>
  db.database.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

async function untilBlocked(): Promise<void> {
  const deadline = Date.now() + 30_000;
  while ((await blocked()).length === 0) {
    if (Date.now() > deadline) throw new Error('the worker never reached the lock');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  broker = await KafkaTestBroker.open();
  dataDir = mkdtempSync(join(tmpdir(), 'indexwright-killed-'));
  front = await ServiceProcess.start(env('api,relay,upkeep'));
  api = new ApiClient(front.baseUrl);
  const worker = await startWorker();
  const { documentId, planId } = await api.confirmed('undisturbed.md', long);
  const task = await api.ended(at((await api.build(documentId, planId)).body, 'taskId'));
  expect(at(task, 'taskStatus.name')).toBe('SUCCESS');
  expected = await rowsOf(documentId);
  expect(expected.length).toBeGreaterThan(50);
  await worker.stop();
}, 120_000);

afterAll(async () => {
  await front.stop();
  await broker.close();
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});

describe('a worker that is killed', () => {
  let first: ServiceProcess;
  let documentId: string;
  let planId: string;
  let copy = 0;

  beforeEach(async () => {
    first = await startWorker();
    copy += 1;
    // The same text in another file: other bytes, so that it is no duplicate; blanks at the end are in no chunk.
    ({ documentId, planId } = await api.confirmed(`killed-${copy}.md`, long + '\n'.repeat(copy)));
  }, 60_000);

  const finishesElsewhere = async (taskId: string, release: () => Promise<void>): Promise<void> => {
    first.signal('SIGKILL');
    await first.ended();
    await release();
    await startWorker();
    const task = await api.ended(taskId);
    expect(at(task, 'taskStatus.name')).toBe('SUCCESS');
    expect(at(task, 'attempt')).toBe(2);
    expect(await rowsOf(documentId)).toEqual(expected);
    const events = (await api.all(`/tasks/${taskId}/logs`)).map((line) => line['eventType']);
    expect(events.filter((event) => event === 'SWITCHED')).toHaveLength(1);
    expect(events.filter((event) => event === 'SUCCESS')).toHaveLength(1);
    expect(events).toContain('LEASE_LOST');
  };

  const killedAt = async (lock: string): Promise<void> => {
    const release = await holdLock(lock);
    const { body } = await api.build(documentId, planId);
    await untilBlocked();
    await finishesElsewhere(at(body, 'taskId'), release);
  };

  it(
    'while it cuts leaves a task that ends as if undisturbed',
    () => killedAt('lock table chunk in share mode'),
    60_000,
  );

  it('while it stores vectors leaves a task that ends as if undisturbed', async () => {
    const { body } = await api.build(documentId, planId);
    const taskId = at<string>(body, 'taskId');
    await api.until(`/tasks/${taskId}`, (task) => at<number>(task, 'stages.1.done') > 0);
    const release = await holdLock('lock table chunk_vector_384 in share mode');
    await untilBlocked();
    await finishesElsewhere(taskId, release);
  }, 60_000);

  it('before it switches leaves a task that ends as if undisturbed', async () => {
    const { body } = await api.build(documentId, planId);
    const release = await holdLock(`select 1 from document where id = ${documentId} for share`);
    await untilBlocked();
    await finishesElsewhere(at(body, 'taskId'), release);
  }, 60_000);
});
