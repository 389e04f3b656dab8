import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import { ensureVectorTable } from '../../database/vector-tables.js';
import type { Id } from '../../domain/ids/id.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import { plantDocument, plantTask, testIds, testModel } from '../factories.js';
import { plantServedVersion, type PlantedVersion } from '../planted-version.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { checkInvariants, type Outside } from './check-invariants.js';
import { rowRules } from './row-rules.js';
import type { Invariant, Violation } from './violation.js';

let db: TestDatabase;
/** A document that was built once, without a fault. */
let served: PlantedVersion;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  await ensureVectorTable(db.database, testModel.dimension);
  // What keys and indexes forbid has to be found, too, should they ever be gone.
  await rows('drop index task_one_live_index');
  await rows('alter table chunk disable trigger all');
});
afterAll(() => db.close());
beforeEach(async () => {
  await rows('truncate knowledge_base, document, task, outbox, dead_letter, chunk_vector_384 cascade');
  served = await plantServedVersion(db.database, await plantDocument(db.database));
  await rows('update task set attempt = 1 where id = $1', served.taskId);
  await log(served.taskId, wholeLog);
});

const rows = (sql: string, ...values: unknown[]) => db.database.query<Record<string, unknown>>(sql, values);
const set = (table: string, assignments: string, id: Id) =>
  rows(`update ${table} set ${assignments} where id = $1`, id);

type Line = readonly [event: TaskEvent, stage: Stage, attempt?: number];
const wholeLog: readonly Line[] = [
  [TaskEvent.Start, Stage.ChunkExecute],
  [TaskEvent.Claimed, Stage.ChunkExecute, 1],
  [TaskEvent.StageStarted, Stage.ChunkExecute],
  [TaskEvent.ChunkDone, Stage.ChunkExecute],
  [TaskEvent.StageStarted, Stage.Vectorize],
  [TaskEvent.VectorizeDone, Stage.Vectorize],
  [TaskEvent.StageStarted, Stage.IndexWrite],
  [TaskEvent.Switched, Stage.IndexWrite],
  [TaskEvent.Success, Stage.IndexWrite],
];

async function log(taskId: Id, lines: readonly Line[]): Promise<void> {
  for (const [event, stage, attempt] of lines) {
    await rows(
      'insert into task_log (task_id, stage, event, actor, metadata) values ($1, $2, $3, 2, $4)',
      taskId,
      stage,
      event,
      JSON.stringify(attempt ? { attempt } : {}),
    );
  }
}

/** Another log in place of that of the whole build. */
async function relog(...lines: Line[]): Promise<void> {
  await rows('delete from task_log where task_id = $1', served.taskId);
  await log(served.taskId, lines);
}

const [start, claim, chunking, chunked, embedding, , writing, , success] = wholeLog as [
  Line,
  Line,
  Line,
  Line,
  Line,
  Line,
  Line,
  Line,
  Line,
];

/** A live task of the document, that nothing is wrong with. */
async function liveTask(): Promise<Id> {
  const taskId = await plantTask(db.database, served);
  await log(taskId, [start]);
  return taskId;
}

const check = ({ accepted = [served.taskId], unread = 0, deadLetters = [] }: Partial<Outside> = {}) =>
  checkInvariants(db.database, { accepted, unread, deadLetters });
const named = (violations: readonly Violation[]) => violations.map(({ invariant, says }) => `${invariant}: ${says}`);

it('finds nothing wrong with what went well, ended or not', async () => {
  expect(await check()).toEqual([]);
  await liveTask();
  expect(await check()).toEqual([]);
});

/** By what a rule says: how it is broken, and nothing else. Gives the id that must be named. */
const breaches: Record<string, () => Promise<Id>> = {
  'a document with two live index tasks': async () => {
    await liveTask();
    await liveTask();
    return served.documentId;
  },
  'a task that has neither ended nor a time at which it goes on': async () => {
    const taskId = await liveTask();
    await set('task', `sent_at = now() - interval '3 min'`, taskId);
    return taskId;
  },
  'a task that ended badly without a reason': async () => {
    const taskId = await liveTask();
    await set('task', 'task_status = 4, finished_at = now(), attempt = 1', taskId);
    await log(taskId, [claim, [TaskEvent.Failed, Stage.ChunkExecute]]);
    await set('document', 'index_status = 4', served.documentId);
    return taskId;
  },
  'a document whose parse status is not that of its newest parse': async () => {
    const taskId = await liveTask();
    await set('task', 'task_type = 1, plan_id = null', taskId);
    await set('document', 'index_status = 3', served.documentId);
    return served.documentId;
  },
  'a document whose index status is not that of its newest build': async () => {
    await set('document', 'index_status = 2', served.documentId);
    return served.documentId;
  },
  'a served version that is not whole': async () => {
    await rows('delete from chunk_vector_384 where version_id = $1 and ordinal = 0', served.versionId);
    return served.versionId;
  },
  'a served version that its document does not point at, or the other way round': async () => {
    const other = await plantDocument(db.database);
    await set('document', `active_version_id = ${served.versionId}`, other.documentId);
    return other.documentId;
  },
  'a served version of another plan than its task, or of a task that did not succeed': async () => {
    await set('task', 'plan_id = 77', served.taskId);
    return served.versionId;
  },
  'chunks of one document in a version of another, or vectors of no version': async () => {
    await rows(
      `insert into chunk_vector_384 select knowledge_base_id, 79, ordinal, embedding from chunk_vector_384 where ordinal = 0`,
    );
    return '79';
  },
  'a task that was answered for and is not there': () => Promise.resolve('78'),
  'a document whose newest build succeeded and is not what is served': async () => {
    const taskId = await liveTask();
    await set('task', 'task_status = 3, finished_at = now()', taskId);
    await log(taskId, [
      [TaskEvent.Claimed, Stage.ChunkExecute, 1],
      [TaskEvent.StageStarted, Stage.IndexWrite],
      [TaskEvent.Success, Stage.IndexWrite],
    ]);
    await set('task', 'attempt = 1', taskId);
    await set('document', 'index_status = 3', served.documentId);
    return served.documentId;
  },
  'a task that has no log, or whose log does not end as the task has': () => plantTask(db.database, served),
  'an outbox message that was given up or forgotten': async () => {
    await rows(
      `insert into outbox (id, aggregate_id, topic, payload, headers, status, tries) values (76, 1, 't', '{}', '{}', 3, 12)`,
    );
    return '76';
  },
};

describe('a rule about rows', () => {
  it.each(rowRules)('$invariant tells of $says', async ({ invariant, says }) => {
    const id = await breaches[says]?.();
    expect(await check({ accepted: [served.taskId, '78'].slice(0, id === '78' ? 2 : 1) })).toEqual([
      { invariant, says, ids: [id] },
    ]);
  });

  it.each<readonly [string, string, () => Promise<unknown>]>([
    [
      'a worker that fell silent',
      'I2: a task that has neither ended nor a time at which it goes on',
      () => silent(`task_status = 2, attempt = 1, lease_until = now() - interval '1 min'`),
    ],
    [
      'a retry that nobody takes',
      'I2: a task that has neither ended nor a time at which it goes on',
      () => silent(`task_status = 5, attempt = 1, next_retry_at = now() - interval '2 min'`),
    ],
    [
      'a chunk too few',
      'I4: a served version that is not whole',
      () => rows(`delete from chunk where version_id = $1 and level = 'PARENT'`, served.versionId),
    ],
    [
      'a child and its vector too few',
      'I4: a served version that is not whole',
      async () => {
        await rows(`delete from chunk where level = 'CHILD' and ordinal = 1`);
        await rows('delete from chunk_vector_384 where ordinal = 1');
      },
    ],
    [
      'a chunk of another document',
      'I4: chunks of one document in a version of another, or vectors of no version',
      () => rows(`update chunk set document_id = 75 where version_id = $1 and ordinal = 1`, served.versionId),
    ],
    [
      'a message that nobody sends',
      'I8: an outbox message that was given up or forgotten',
      () =>
        rows(
          `insert into outbox (id, aggregate_id, topic, payload, headers, next_try_at) values (1, 1, 't', '{}', '{}', now() - interval '3 min')`,
        ),
    ],
    [
      'an end that the log does not tell of',
      'I7: a task that has no log, or whose log does not end as the task has',
      () => relog(start, claim, chunking, chunked, embedding, writing),
    ],
  ])('tells of %s', async (_, said, plant) => {
    await plant();
    expect(named(await check())).toEqual([said]);
  });

  async function silent(assignments: string): Promise<void> {
    const taskId = await liveTask();
    await log(taskId, [claim]);
    await set('task', assignments, taskId);
  }
});

describe('a log', () => {
  it.each<readonly [string, Invariant, string, readonly Line[], number]>([
    ['without a start', 'I7', 'the log begins with CLAIMED', wholeLog.slice(1), 1],
    [
      'in which a step is left out',
      'I7',
      'CHUNK_DONE stands after CLAIMED',
      [start, claim, chunked, embedding, success],
      1,
    ],
    ['that goes back a stage', 'I7', 'stage 4 stands after stage 6', [start, claim, writing, chunking, success], 1],
    [
      'in which something was repaired',
      'I7',
      'REPAIRED stands after CLAIMED',
      [start, claim, [TaskEvent.Repaired, 4]],
      1,
    ],
    ['that goes on after its end', 'I7', 'PROGRESS stands after SUCCESS', [...wholeLog, [TaskEvent.Progress, 6]], 1],
    [
      'with two claims of one attempt',
      'I6',
      'attempts were claimed as 1, 1',
      [start, claim, claim, writing, success],
      2,
    ],
    ['with a claim too few', 'I6', '1 claims led to attempt 2', wholeLog, 2],
  ])('%s is told', async (_, invariant, says, lines, attempt) => {
    await relog(...lines);
    await set('task', `attempt = ${attempt}`, served.taskId);
    expect(await check()).toContainEqual({ invariant, says, ids: [served.taskId] });
  });
});

describe('what stands outside of the database', () => {
  it('is told where messages were never acknowledged', async () => {
    expect(named(await check({ unread: 2 }))).toEqual(['I8: 2 messages were never acknowledged']);
  });
});

describe('I8, of a task that is out of tries', () => {
  let taskId: Id;

  /** What I8 says of the dead letters on the broker. */
  const said = async (...deadLetters: Record<string, string>[]): Promise<string[]> =>
    (await check({ deadLetters })).filter(({ invariant }) => invariant === 'I8').map(({ says }) => says);

  beforeEach(async () => {
    taskId = await liveTask();
    const { letters } = repositoriesOn(db.database, testIds);
    await db.database.transaction(async (tx) => {
      await tx.query('update task set task_status = 4, finished_at = now(), attempt = 2 where id = $1', [taskId]);
      await letters.addTask(tx, taskId, { code: 'EMBEDDING_FAILED', message: 'm' });
    });
  });

  it('holds when the dead-letter topic tells of it, also twice', async () => {
    const told = { 'x-task-id': taskId, 'x-dead-attempt': '2' };
    expect(await said(told)).toEqual([]);
    expect(await said(told, told)).toEqual([]);
  });

  it('is broken when the topic does not tell of it', async () => {
    expect(await said()).toEqual(['a task out of tries that the dead-letter topic does not tell of']);
  });

  it('is broken by a message that was moved aside, and by one about an end that there was not', async () => {
    const told = { 'x-task-id': taskId, 'x-dead-attempt': '2' };
    expect(await said(told, { 'x-task-id': taskId })).toEqual(['1 messages were set aside']);
    expect(await said(told, { 'x-task-id': taskId, 'x-dead-attempt': '3' })).toEqual(['1 messages were set aside']);
  });
});
