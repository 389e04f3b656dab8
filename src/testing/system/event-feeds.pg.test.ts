import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import type { TransactionContext } from '../../database/database.js';
import type { CommitPosition, FeedLine } from '../../database/repositories/task-feed-repository.js';
import { systemClock } from '../../domain/clock.js';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import { BaseFeeds } from '../../progress/base-feeds.js';
import type { BaseFeed, EventOutlet, TaskFeed } from '../../progress/event-feed.js';
import { TaskFeeds } from '../../progress/task-feeds.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../factories.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

let db: TestDatabase;
let parts: ReturnType<typeof repositoriesOn>;
let planted: PlantedDocument;
let taskId: Id;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  parts = repositoriesOn(db.database, testIds);
});
afterAll(() => db.close());
beforeEach(async () => {
  planted = await plantDocument(db.database);
  taskId = await plantTask(db.database, planted);
});

/** Keeps what it is given. */
class Outlet implements EventOutlet {
  readonly ready = true;
  readonly ids: string[] = [];
  readonly marks: unknown[] = [];
  readonly percents: number[] = [];
  ended = false;
  connect = () => undefined;

  line(line: FeedLine, eventId: string): void {
    this.ids.push(eventId);
    this.marks.push(line.metadata.mark);
  }

  progress({ percent }: { percent: number }): void {
    this.percents.push(percent);
  }

  end(): void {
    this.ended = true;
  }
}

const write = (tx: TransactionContext, mark: unknown, id = taskId) =>
  parts.logs.append(tx, {
    tenantId: defaultTenant,
    taskId: id,
    stage: Stage.ChunkExecute,
    event: TaskEvent.Progress,
    metadata: { mark },
  });
const writeAtOnce = (mark: unknown, id = taskId) => db.database.transaction((tx) => write(tx, mark, id));

/** A transaction that has begun to write, and commits when it is told to. */
async function held(begin: (tx: TransactionContext) => Promise<unknown>, finish = begin) {
  let commit: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (commit = resolve));
  let begun: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (begun = resolve));
  const over = db.database.transaction(async (tx) => {
    await begin(tx);
    begun();
    await told;
    if (finish !== begin) await finish(tx);
  });
  await ready;
  return () => {
    commit();
    return over;
  };
}

const positionOf = (eventId: string): CommitPosition => {
  const [writtenIn = '', id = ''] = eventId.split('-');
  return { writtenIn, id };
};

async function baseReader(position?: CommitPosition): Promise<BaseFeed & { outlet: Outlet }> {
  const start = position ?? { writtenIn: await parts.feeds.horizon(), id: '0' };
  return { knowledgeBaseId: planted.knowledgeBaseId, position: start, outlet: new Outlet(), due: true };
}

/** Has it read until it has so many lines. */
async function readUntil(reader: BaseFeed & { outlet: Outlet }, lines: number): Promise<unknown[]> {
  while (reader.outlet.marks.length < lines) await new BaseFeeds(parts.feeds).deliver([reader]);
  return reader.outlet.marks;
}

describe('a reader of a base', () => {
  it('loses no line that commits late, although later ones are there before it', async () => {
    const reader = await baseReader();
    await writeAtOnce('before');
    const commitFirst = await held((tx) => write(tx, 'first'));
    await writeAtOnce('second', await plantTask(db.database, await plantDocument(db.database)));
    const other = await plantDocument(db.database);
    await db.database.query('update document set knowledge_base_id = $1 where id = $2', [
      planted.knowledgeBaseId,
      other.documentId,
    ]);
    await writeAtOnce('third', await plantTask(db.database, { ...other, knowledgeBaseId: planted.knowledgeBaseId }));
    await readUntil(reader, 1);
    await new BaseFeeds(parts.feeds).deliver([reader]);
    expect(reader.outlet.marks).toEqual(['before']);
    await commitFirst();
    expect(await readUntil(reader, 3)).toEqual(['before', 'first', 'third']);
  });

  it('goes on right after any line, also where ids and commits are in different orders', async () => {
    const reader = await baseReader();
    const touch = (tx: TransactionContext) =>
      tx.query('update document set title = title where id = $1', [planted.documentId]);
    const commitOlder = await held(touch, (tx) => write(tx, 'older transaction, higher id'));
    const other = await plantTask(db.database, {
      ...(await plantDocument(db.database)),
      knowledgeBaseId: planted.knowledgeBaseId,
    });
    await writeAtOnce('younger transaction, lower id', other);
    await commitOlder();
    const all = await readUntil(reader, 2);
    expect(all).toEqual(['older transaction, higher id', 'younger transaction, lower id']);
    const [first = '', last = ''] = reader.outlet.ids;
    expect(await parts.feeds.holds(planted.knowledgeBaseId, positionOf(first))).toBe(true);
    expect(await parts.feeds.holds(testIds.next(), positionOf(first))).toBe(false);
    const resumed = await baseReader(positionOf(first));
    expect(await readUntil(resumed, 1)).toEqual([all[1]]);
    const finished = await baseReader(positionOf(last));
    await writeAtOnce('new');
    expect(await readUntil(finished, 1)).toEqual(['new']);
  });

  it('is not held up by a transaction on another database of the server', async () => {
    const elsewhere = await openTestDatabase({ on: 'postgres' });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun: () => void = () => undefined;
    const began = new Promise<void>((resolve) => (begun = resolve));
    const busy = elsewhere.database.transaction(async (tx) => {
      await tx.query('create table held (id int)');
      begun();
      await released;
    });
    await began;
    const reader = await baseReader();
    await writeAtOnce('seen');
    expect(await readUntil(reader, 1)).toEqual(['seen']);
    release();
    await busy;
    await elsewhere.close();
  });

  it('gets more lines than fit in one look, in order, and is due again meanwhile', async () => {
    const reader = await baseReader();
    await db.database.query(
      `insert into task_log (task_id, stage, event, actor, metadata)
       select $1, 4, 'PROGRESS', 2, jsonb_build_object('mark', n) from generate_series(1, 1200) n`,
      [taskId],
    );
    reader.due = false;
    await readUntil(reader, 500);
    expect([reader.outlet.marks.length, reader.due]).toEqual([500, true]);
    expect(await readUntil(reader, 1_200)).toEqual(Array.from({ length: 1_200 }, (_, i) => i + 1));
  });

  it('is told the end when the base itself is gone', async () => {
    const reader = await baseReader();
    await db.database.query(
      `with gone as (insert into task (id, knowledge_base_id, task_type, task_status, current_stage, trigger_source, stages,
                                       max_retry_count, finished_at)
                     values ($1, $2, 3, 3, 6, 2, '[]', 3, now()) returning id)
       insert into task_log (task_id, stage, event, actor) select id, 6, 'SUCCESS', 2 from gone`,
      [testIds.next(), planted.knowledgeBaseId],
    );
    await readUntil(reader, 1);
    expect(reader.outlet.ended).toBe(true);
  });
});

describe('lines that a dump brought from another server', () => {
  it('take a place behind what is open, and are no news', async () => {
    await writeAtOnce('restored');
    await db.database.query(`update task_log set written_in = '900000000000' where task_id = $1`, [taskId]);
    expect(await parts.feeds.adoptForeignLines()).toBe(1);
    expect(await parts.feeds.adoptForeignLines()).toBe(0);
    const reader = await baseReader();
    await writeAtOnce('new');
    expect(await readUntil(reader, 1)).toEqual(['new']);
  });
});

describe('readers of tasks', () => {
  const feeds = () => new TaskFeeds(parts.feeds, parts.tasks, systemClock);
  const taskReader = (after = '0', withProgress = false): TaskFeed & { outlet: Outlet } => ({
    taskId,
    after,
    withProgress,
    outlet: new Outlet(),
    due: false,
  });

  it('get what is new for each of them, and the end only after the last line', async () => {
    for (let i = 1; i <= 60; i += 1) await writeAtOnce(i);
    const [fresh, other] = [taskReader(), taskReader()];
    await feeds().deliver([fresh]);
    expect([fresh.outlet.marks.length, fresh.due]).toEqual([50, true]);
    other.after = fresh.after;
    await db.database.query('update task set task_status = 7, finished_at = now() where id = $1', [taskId]);
    await feeds().deliver([taskReader(), other, fresh]);
    expect(other.outlet.marks).toEqual([51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
    expect(fresh.outlet.marks).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect([fresh.outlet.ended, other.outlet.ended]).toEqual([true, true]);
    const late = taskReader();
    await feeds().deliver([late]);
    expect(late.outlet.ended).toBe(false);
  });

  it('see how far the task is only if they ask', async () => {
    const [plain, asking] = [taskReader(), taskReader('0', true)];
    await feeds().deliver([plain, asking]);
    expect([plain.outlet.percents, asking.outlet.percents, asking.outlet.ended]).toEqual([[], [0], false]);
  });

  it('are told the end when the task is gone', async () => {
    const reader = { ...taskReader(), taskId: testIds.next() };
    await feeds().deliver([reader]);
    expect(reader.outlet.ended).toBe(true);
  });
});
