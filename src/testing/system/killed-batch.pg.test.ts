import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchBench } from '../batch-bench.js';
import { plantDocuments } from '../factories.js';
import { ServiceProcess } from '../service-process.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

let db: TestDatabase;
let bench: BatchBench;
let dataDir: string;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  bench = new BatchBench(db.database);
  dataDir = mkdtempSync(join(tmpdir(), 'indexwright-batch-'));
});
afterAll(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const startUpkeep = () =>
  ServiceProcess.start({
    ROLES: 'upkeep',
    DATABASE_URL: (db.connection.address as { connectionString: string }).connectionString,
    DATA_DIR: dataDir,
    UPKEEP_INTERVAL_MS: '200',
    BATCH_AHEAD: '10000',
    LOG_LEVEL: 'warn',
  });

async function until(met: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await met())) {
    if (Date.now() > deadline) throw new Error('it never came to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const somebodyWaits = async () =>
  (
    await db.database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;

const tasksOf = async (batchId: string) =>
  (await db.database.query('select 1 from task where batch_id = $1', [batchId])).length;

/** Has a process of its own come to a document of the batch, and kills it there. */
async function killedAt(documentId: string): Promise<void> {
  const runner = db.dataSource.createQueryRunner();
  await runner.startTransaction();
  // A process on a busy machine may take longer to start than an idle transaction may last.
  await runner.query('set local idle_in_transaction_session_timeout = 0');
  await runner.query('select 1 from document where id = $1 for share', [documentId]);
  const upkeep = await startUpkeep();
  await until(somebodyWaits).finally(() => upkeep.signal('SIGKILL'));
  await upkeep.ended();
  await runner.rollbackTransaction();
  await runner.release();
  await until(async () => !(await somebodyWaits()));
}

describe('a process that is killed while it fills a batch', () => {
  it('at 0 %, 37 % and 99 % leaves exactly the missing documents to the next', async () => {
    const planted = await plantDocuments(db.database, 300);
    const [{ knowledgeBaseId }] = planted as [(typeof planted)[number]];
    const batchId = await bench.accept({ knowledgeBaseId });
    for (const [at, whole] of [
      [0, 0],
      [111, 100],
      [297, 200],
    ] as const) {
      await killedAt(planted[at]!.documentId);
      expect(await tasksOf(batchId)).toBe(whole);
      expect((await bench.look(batchId)).counts.waiting).toBe(300);
    }
    const last = await startUpkeep();
    await until(async () => (await tasksOf(batchId)) === 300);
    await last.stop();
    expect(await bench.notExactlyOnce(batchId)).toEqual([]);
    expect((await bench.look(batchId)).counts.waiting).toBe(300);
  }, 400_000);
});
