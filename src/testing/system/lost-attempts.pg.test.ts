import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn, type Repositories } from '../../composition/repositories.js';
import type { Database } from '../../database/database.js';
import type { ClaimedTask } from '../../database/repositories/task-lease-repository.js';
import { ensureVectorTable } from '../../database/vector-tables.js';
import { systemClock } from '../../domain/clock.js';
import { Level } from '../../domain/plan/strategy.js';
import type { Chunk } from '../../domain/text/chunk.js';
import { VersionWriter } from '../../vector-index/version-writer.js';
import { ChunkExecute } from '../../worker/stages/chunk-execute.js';
import { ContentParse } from '../../worker/stages/content-parse.js';
import { RemoveContent } from '../../worker/stages/remove-content.js';
import { Vectorize } from '../../worker/stages/vectorize.js';
import type { TaskStage } from '../../worker/task-stage.js';
import { TaskRun } from '../../worker/task-run.js';
import { TaskLost } from '../../worker/work-result.js';
import { plantDocument, plantTask, testIds, testModel, type PlantedDocument } from '../factories.js';
import { openLocalObjects, type LocalObjects } from '../local-objects.js';
import { plantServedVersion } from '../planted-version.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

let db: TestDatabase;
let objects: LocalObjects;
let repositories: Repositories;
let planted: PlantedDocument;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  await ensureVectorTable(db.database, testModel.dimension);
  objects = await openLocalObjects();
  repositories = repositoriesOn(db.database, testIds);
});
afterAll(async () => {
  await db.close();
  await objects.close();
});
beforeEach(async () => {
  planted = await plantDocument(db.database);
});

const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);
const text = 'one two';
const segmenter = { version: 1, segment: (piece: string) => piece, segmentQuery: (query: string) => query };
const piece = (level: Level, ordinal: number, charStart: number, charEnd: number): Chunk => ({
  level,
  ordinal,
  ...(level === Level.Child ? { parentOrdinal: 0 } : {}),
  charStart,
  charEnd,
  text: text.slice(charStart, charEnd),
  tokens: 3,
  overlapStart: 0,
  headingPath: [],
  rule: 'r',
});
const cut = {
  parents: [piece(Level.Parent, 0, 0, 7)],
  children: [piece(Level.Child, 0, 0, 3), piece(Level.Child, 1, 4, 7)],
  coverage: { complete: true, coveredChars: 6, omittedChars: 0, omissions: [] },
};

/** The stages as the service joins them, with stand-ins for what computes. */
function stages(): Record<'parse' | 'chunk' | 'vectorize' | 'remove', TaskStage> {
  const { documents, texts, plans, versions, chunks, deletions } = repositories;
  const writer = new VersionWriter(versions, chunks, segmenter, testIds);
  const parsed = { text, blocks: [], warnings: [], encoding: 'utf-8', encodingConfidence: 1, mediaType: 'text/plain' };
  const embedder = {
    model: testModel,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    embed: (all: readonly string[]) =>
      Promise.resolve(all.map(() => new Float32Array(testModel.dimension).fill(testModel.dimension ** -0.5))),
  };
  return {
    parse: new ContentParse({
      documents,
      texts,
      spool: { hold: () => Promise.resolve({ path: '', textPath: '', dispose: () => Promise.resolve() }) },
      parser: { parse: () => Promise.resolve(parsed) },
    }),
    chunk: new ChunkExecute({
      texts: { read: () => Promise.resolve({ text, blocks: [] }) },
      plans,
      cutter: { cut: () => Promise.resolve(cut), measure: () => Promise.reject(new Error('not asked for')) },
      writer,
      model: testModel,
      segmenter,
    }),
    vectorize: new Vectorize(embedder, chunks, writer, segmenter, 1),
    remove: new RemoveContent({ deletions, versions, chunks, objects: objects.objects }),
  };
}

/** A claimed task that stands before the stage. */
async function claimedFor(name: keyof ReturnType<typeof stages>): Promise<ClaimedTask> {
  if (name === 'remove') {
    const { documentId, taskId } = await plantServedVersion(db.database, planted);
    await rows('update document set deleted_at = now(), active_version_id = null where id = $1', documentId);
    await rows(
      `update task set task_type = 3, task_status = 1, finished_at = null, current_stage = 6 where id = $1`,
      taskId,
    );
    return claim(taskId);
  }
  const taskId = await plantTask(db.database, planted);
  if (name === 'parse') {
    const bytes = Buffer.from(text);
    await objects.objects.put(`sources/${taskId}`, Readable.from([bytes]), 100);
    const hash = createHash('sha256').update(bytes).digest('hex');
    await rows('update task set task_type = 1, current_stage = 2, plan_id = null where id = $1', taskId);
    await rows(
      'update document set source_key = $2, source_hash = $3, parse_status = 1 where id = $1',
      planted.documentId,
      `sources/${taskId}`,
      hash,
    );
  }
  const task = await claim(taskId);
  if (name === 'vectorize') await stages().chunk.run(runOf(task, db.database));
  return task;
}

async function claim(taskId: string): Promise<ClaimedTask> {
  const outcome = await repositories.leases.claim(taskId, 'w', 60_000);
  if (outcome.type !== 'claimed') throw new Error(outcome.reason);
  return outcome.task;
}

function runOf(task: ClaimedTask, database: Pick<Database, 'transaction'>): TaskRun {
  const { leases, logs } = repositories;
  const parts = { database: database as Database, leases, logs, clock: systemClock };
  return new TaskRun(task, new AbortController().signal, parts);
}

/** Everything that a stage may write to, as text. */
async function everything({ id }: ClaimedTask): Promise<string> {
  const { documentId } = planted;
  const tables = [
    ['document', 'id = $1', documentId],
    ['document_text', 'document_id = $1', documentId],
    ['document_text_segment', 'document_id = $1', documentId],
    ['strategy_plan', 'document_id = $1', documentId],
    ['strategy_step', 'plan_id = $1', planted.planId],
    ['index_version', 'document_id = $1', documentId],
    ['chunk', 'document_id = $1', documentId],
    ['chunk_vector_384', 'knowledge_base_id = $1', planted.knowledgeBaseId],
    ['task', 'id = $1', id],
    ['task_log', 'task_id = $1', id],
  ] as const;
  const found = [];
  for (const [table, where, value] of tables) {
    found.push(table, ...(await rows(`select t::text as row from ${table} t where ${where} order by 1`, value)));
  }
  return JSON.stringify(found);
}

/** A run whose task goes on elsewhere once `after` of its transactions are committed; and what was stored then. */
async function losing(task: ClaimedTask, after: number) {
  const seen = { transactions: 0, stored: '' };
  const lose = async (): Promise<void> => {
    await rows(`update task set attempt = attempt + 1, worker_id = 'other' where id = $1`, task.id);
    seen.stored = await everything(task);
  };
  const transaction: Database['transaction'] = async (work, once) => {
    const result = await db.database.transaction(work, once);
    if ((seen.transactions += 1) === after) await lose();
    return result;
  };
  if (after === 0) await lose();
  return { run: runOf(task, { transaction }), seen };
}

describe('an attempt that has lost its task writes nothing more', () => {
  it.each(['parse', 'chunk', 'vectorize', 'remove'] as const)('wherever in the stage %s that happens', async (name) => {
    const whole = await losing(await claimedFor(name), Infinity);
    await stages()[name].run(whole.run);
    const { transactions } = whole.seen;
    expect(transactions).toBeGreaterThan(1);
    for (let after = 0; after < transactions; after += 1) {
      planted = await plantDocument(db.database);
      const task = await claimedFor(name);
      const { run, seen } = await losing(task, after);
      await expect(stages()[name].run(run)).rejects.toBeInstanceOf(TaskLost);
      expect(await everything(task)).toBe(seen.stored);
    }
  });
});
