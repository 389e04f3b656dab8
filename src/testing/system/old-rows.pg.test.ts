import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import type { Id } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { ChorePass } from '../../upkeep/chore-pass.js';
import type { Chore } from '../../upkeep/chore.js';
import { oldLogs, oldTasks, oldTexts } from '../../upkeep/old-rows.js';
import { SweepUploads } from '../../upkeep/sweep-uploads.js';
import { plantDocument, plantTask, plantVersion, testIds, testSpec, type PlantedDocument } from '../factories.js';
import { openLocalObjects } from '../local-objects.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

const days = 10;

let db: TestDatabase;
let planted: PlantedDocument;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
});
afterAll(() => db.close());
beforeEach(async () => {
  planted = await plantDocument(db.database);
});

const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);
const retention = () => repositoriesOn(db.database, testIds).retention;
const run = (chore: Chore) => new ChorePass('p', chore, silentLogger, 1).runOnce();
const logs = (keepDays = days) => oldLogs(db.database, retention(), keepDays);
const tasks = (keepDays = days) => oldTasks(db.database, retention(), keepDays);
const texts = (keepDays = days) => oldTexts(db.database, retention(), keepDays);

/** A build of the planted document with so many lines, in a status for so many days. */
async function plantBuild(status: number, age: number, lines = 2): Promise<Id> {
  const id = await plantTask(db.database, planted);
  await rows(
    `update task set task_status = $2::smallint, attempt = 1, created_at = now() - $3 * interval '1 day',
            finished_at = case when $2 in (3, 4, 6, 7) then now() - $3 * interval '1 day' end,
            lease_until = case when $2 = 2 then now() - $3 * interval '1 day' end,
            next_retry_at = case when $2 = 5 then now() - $3 * interval '1 day' end where id = $1`,
    id,
    status,
    age,
  );
  await rows(
    `insert into task_log (task_id, stage, event, actor) select $1, 4, 'PROGRESS', 1 from generate_series(1, $2::int)`,
    id,
    lines,
  );
  return id;
}

const linesOf = async (id: Id) => (await rows('select count(*)::int as n from task_log where task_id = $1', id))[0]?.n;
const isThere = async (id: Id) => (await rows('select 1 from task where id = $1', id)).length === 1;

describe('trim-task-logs', () => {
  it('removes the lines of tasks that ended long ago, however many, and keeps the tasks', async () => {
    const old = await plantBuild(3, days + 1, 4_500);
    const recent = await plantBuild(4, days - 1);
    await run(logs());
    expect([await linesOf(old), await linesOf(recent), await isThere(old)]).toEqual([0, 2, true]);
    expect(await run(logs())).toEqual({ found: 0, settled: 0 });
  });

  it.each([1, 2, 5])('never touches those of a live task (status %i), however old', async (status) => {
    const live = await plantBuild(status, 900);
    await run(logs());
    expect(await linesOf(live)).toBe(2);
  });

  it('leaves the lines of a task that came to life again since it was found', async () => {
    const id = await plantBuild(4, days + 1);
    await rows('update task set task_status = 5, finished_at = null, next_retry_at = now() where id = $1', id);
    await logs().settle(id);
    expect(await linesOf(id)).toBe(2);
  });

  it('keeps all for a policy of 0 days', async () => {
    const old = await plantBuild(3, 3_000);
    await run(logs(0));
    expect(await linesOf(old)).toBe(2);
  });
});

describe('trim-tasks', () => {
  it('removes what ended long ago with its lines, but the newest of a document', async () => {
    const [old, newest] = [await plantBuild(3, days + 2), await plantBuild(4, days + 1)];
    await run(tasks());
    expect([await isThere(old), await linesOf(old), await isThere(newest)]).toEqual([false, 0, true]);
  });

  it('keeps what ended lately, what built a version, and what belongs to a batch', async () => {
    await plantVersion(db.database, planted);
    const [built] = await rows('select task_id as id from index_version where document_id = $1', planted.documentId);
    await rows(`update task set finished_at = now() - interval '900 days' where id = $1`, built?.id);
    const batched = await plantBuild(3, days + 1);
    await rows('update task set batch_id = 7 where id = $1', batched);
    const recent = await plantBuild(3, days - 1);
    await plantBuild(3, 0);
    await run(tasks());
    // Nor when they came to be needed only after they had been found.
    for (const id of [built?.id as Id, batched]) expect(await tasks().settle(id)).toBe(false);
    for (const id of [built?.id as Id, batched, recent]) expect(await isThere(id)).toBe(true);
  });

  it('removes the newest, too, once nothing is left of its document', async () => {
    const last = await plantBuild(3, days + 1);
    await rows('update document set deleted_at = now(), purged_at = now() where id = $1', planted.documentId);
    await run(tasks());
    expect(await isThere(last)).toBe(false);
  });

  it.each([1, 2, 5])('never removes a live task (status %i), however old', async (status) => {
    const live = await plantBuild(status, 900);
    await rows('update document set deleted_at = now(), purged_at = now() where id = $1', planted.documentId);
    await run(tasks());
    expect([await isThere(live), await linesOf(live)]).toEqual([true, 2]);
  });

  it('leaves one that came to life again since it was found, with its lines', async () => {
    const [revived] = [await plantBuild(4, days + 2), await plantBuild(3, days + 1)];
    await rows('update task set task_status = 5, finished_at = null, next_retry_at = now() where id = $1', revived);
    expect(await tasks().settle(revived)).toBe(false);
    expect([await isThere(revived), await linesOf(revived)]).toEqual([true, 2]);
  });

  it('gets through more than one step finds', async () => {
    await rows(
      `insert into task (id, document_id, knowledge_base_id, task_type, task_status, current_stage, trigger_source, stages,
                         max_retry_count, finished_at)
       select $1::bigint + n, $2, $3, 1, 3, 2, 2, '[]', 0, now() - interval '20 days' from generate_series(1, 1200) n`,
      testIds.next(),
      planted.documentId,
      planted.knowledgeBaseId,
    );
    const pass = new ChorePass('p', tasks(), silentLogger, 1);
    // A run ends after about a second, and the next goes on where it stood.
    for (let runs = 0; runs < 20; runs += 1) await pass.runOnce();
    expect(await rows('select 1 from task where document_id = $1', planted.documentId)).toHaveLength(1);
  });
});

describe('trim-texts', () => {
  const plantText = (revision: number, age: number) =>
    rows(
      `insert into document_text (document_id, revision, char_length, block_count, source_hash, parser_version, normaliser_version, created_at)
       values ($1, $2, 2, 0, $3, 1, 1, now() - $4 * interval '1 day')`,
      planted.documentId,
      revision,
      testSpec.sourceHash,
      age,
    );
  const revisions = async () =>
    (await rows('select revision from document_text where document_id = $1 order by 1', planted.documentId)).map(
      ({ revision }) => revision,
    );

  beforeEach(async () => {
    // Revision 2 is what the plan was made from, 3 what is served, 5 the document's own, 6 what a parse is at work on.
    for (const [revision, age] of [1, 2, 3, 4, 5, 6].map((each) => [each, days + 1] as const))
      await plantText(revision, age);
    await plantVersion(db.database, planted);
    await rows('update index_version set text_revision = 3 where document_id = $1', planted.documentId);
    await rows('update strategy_plan set text_revision = 2 where document_id = $1', planted.documentId);
    await rows('update document set text_revision = 5 where id = $1', planted.documentId);
    await rows(
      'update document_text set created_at = now() where document_id = $1 and revision = 4',
      planted.documentId,
    );
  });

  it('removes old revisions that nothing names, and keeps young ones and those in use', async () => {
    const parse = await plantBuild(2, 0);
    await rows('update task set task_type = 1, plan_id = null where id = $1', parse);
    await run(texts());
    expect(await revisions()).toEqual([2, 3, 4, 5, 6]);
  });

  it('removes what a parse left that is over', async () => {
    const parse = await plantBuild(7, 1);
    await rows('update task set task_type = 1, plan_id = null where id = $1', parse);
    await run(texts());
    expect(await revisions()).toEqual([2, 3, 4, 5]);
  });

  it('keeps all for a policy of 0 days', async () => {
    await run(texts(0));
    expect(await revisions()).toHaveLength(6);
  });
});

describe('dead-uploads', () => {
  it('removes half-written files that were silent for long, and neither young ones nor whole ones', async () => {
    const local = await openLocalObjects();
    try {
      const whole = await local.objects.put('sources/1', Readable.from([Buffer.from('x')]), 10);
      for (const [name, hours] of [
        ['dead', 2],
        ['alive', 0],
      ] as const) {
        const path = local.path(`.incoming/${name}.part`);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, 'half');
        const touched = new Date(Date.now() - hours * 3_600_000);
        await utimes(path, touched, touched);
      }
      const long = new Date(0);
      await utimes(local.path(whole.key), long, long);
      const pass = new SweepUploads(local.objects, 1);
      expect(await pass.runOnce()).toEqual({ removed: 1 });
      expect(await pass.runOnce()).toEqual({ removed: 0 });
      expect((await local.names()).sort()).toEqual(['1', 'alive.part']);
    } finally {
      await local.close();
    }
  });
});
