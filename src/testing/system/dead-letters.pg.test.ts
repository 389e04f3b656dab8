import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn, type Repositories } from '../../composition/repositories.js';
import type { ErrorCode } from '../../domain/errors.js';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { TaskType } from '../../domain/task/task-type.js';
import { silentLogger } from '../../logging/logger.js';
import { deadMessage, keptValueBytes } from '../../messaging/dead-letter.js';
import type { IncomingMessage } from '../../messaging/message-consumer.js';
import { OutboxRelay } from '../../messaging/outbox-relay.js';
import { taskMessage } from '../../messaging/task-message.js';
import { Topic } from '../../messaging/topic.js';
import { codeOf } from '../code-of.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../factories.js';
import { ScriptedPublisher } from '../scripted-publisher.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';
import { whileLocked } from '../while-locked.js';
import { DiscardDeadLetter } from '../../builds/discard-dead-letter.js';
import { ReplayDeadLetter } from '../../builds/replay-dead-letter.js';
import { RetryTask } from '../../builds/retry-task.js';

const relayOptions = { intervalMs: 1_000, sendDeadlineMs: 1_000 };

let db: TestDatabase;
let repositories: Repositories;
let publisher: ScriptedPublisher;
let planted: PlantedDocument;
let taskId: Id;
let replaying: ReplayDeadLetter;
let retryTask: RetryTask;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  repositories = repositoriesOn(db.database, testIds);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.database.query('delete from dead_letter');
  await db.database.query('delete from outbox');
  publisher = new ScriptedPublisher();
  planted = await plantDocument(db.database);
  taskId = await plantTask(db.database, planted);
  const { database } = db;
  retryTask = new RetryTask(database, repositories.commands, publisher, 1_000);
  replaying = new ReplayDeadLetter({ ...repositories, database, retryTask, publisher }, 1_000);
});

const replay = (id: Id, tenant = defaultTenant) => replaying.replay(tenant, id, '7');
const discard = (id: Id) => new DiscardDeadLetter(repositories.letters).discard(defaultTenant, id, '8');
const letters = async () => (await repositories.letters.list(defaultTenant, undefined, { limit: 10 })).items;
const onlyId = async (): Promise<Id> => {
  const all = await letters();
  if (all.length !== 1 || !all[0]) throw new Error(`there are ${all.length} letters`);
  return all[0].deadLetterId;
};
const task = async () =>
  (await db.database.query<Record<string, unknown>>('select * from task where id = $1', [taskId]))[0];
const retries = () =>
  db.database.query(`select 1 from task_log where task_id = $1 and event = 'RETRY_REQUESTED'`, [taskId]);

/** Ends the task as its reporter does. */
async function fail(code: ErrorCode): Promise<void> {
  await db.database.transaction(async (tx) => {
    await tx.query(`update task set task_status = 4, finished_at = now(), attempt = 4 where id = $1`, [taskId]);
    const ended = { ...planted, id: taskId, taskType: TaskType.BuildIndex };
    await repositories.failures.record(tx, ended, { code, message: 'It did not work.' });
  });
}

const message = (change: Partial<IncomingMessage> = {}): IncomingMessage => ({
  topic: Topic.BuildIndex,
  key: '5',
  value: Buffer.from('{"taskId":'),
  headers: { 'x-schema-version': '1' },
  ...change,
});
const putAside = (incoming: IncomingMessage) => repositories.letters.addMessage(deadMessage(incoming, 'no JSON'));

/** Two replays that have read the letter, and stand at a lock until both do. Gives the states that they answer. */
async function twoAtOnce(id: Id, sql: string, locked: Id): Promise<string[]> {
  const both = await whileLocked(db.database, { sql, parameters: [locked], waiters: 2 }, () =>
    Promise.all([replay(id), replay(id)]),
  );
  return both.map(({ state }) => state);
}

describe('a task that ends badly', () => {
  it('leaves one open letter, however often it ends so before a person looks', async () => {
    await fail('EMBEDDING_FAILED');
    await fail('TIME_LIMIT');
    expect(await letters()).toMatchObject([
      { kind: 'TASK', state: 'OPEN', taskId, documentId: planted.documentId, attempt: 4, code: 'TIME_LIMIT' },
    ]);
  });

  it('tells the dead-letter topic of it with its ids, headers, reason and attempt, in the same commit', async () => {
    await fail('EMBEDDING_FAILED');
    const [letter] = await letters();
    const build = {
      ...planted,
      id: taskId,
      tenantId: defaultTenant,
      taskType: TaskType.BuildIndex,
      priority: TaskPriority.Interactive,
      trace: null,
    };
    const relay = new OutboxRelay(db.database, repositories.outbox, publisher, silentLogger, relayOptions);
    await relay.runOnce();
    expect(publisher.sent).toEqual([
      {
        topic: 'document-index-build-dead-letter',
        key: planted.documentId,
        value: { documentId: planted.documentId, taskId, planId: planted.planId },
        headers: {
          ...taskMessage(build).headers,
          'x-timestamp': expect.any(String),
          traceparent: expect.any(String),
          'x-dead-topic': Topic.BuildIndex,
          'x-dead-reason': 'It did not work.',
          'x-dead-code': 'EMBEDDING_FAILED',
          'x-dead-attempt': '4',
          'x-dead-letter-id': letter?.deadLetterId,
          'x-dead-at': expect.any(String),
        },
      },
    ]);
  });

  it('tells of each end once, and not of replaying', async () => {
    await fail('EMBEDDING_FAILED');
    await replay(await onlyId());
    await fail('EMBEDDING_FAILED');
    const dead = await db.database.query(
      `select 1 from outbox where topic = 'document-index-build-dead-letter' and headers ->> 'x-task-id' = $1`,
      [taskId],
    );
    expect(dead).toHaveLength(2);
  });

  it('leaves neither letter nor message if its end is not committed', async () => {
    const stopped = db.database.transaction(async (tx) => {
      const ended = { ...planted, id: taskId, taskType: TaskType.BuildIndex };
      await repositories.failures.record(tx, ended, { code: 'EMBEDDING_FAILED', message: 'm' });
      throw new Error('the worker dies here');
    });
    await expect(stopped).rejects.toThrow('dies here');
    expect(await letters()).toEqual([]);
    expect(await db.database.query('select 1 from outbox')).toEqual([]);
  });

  it.each(['ENCRYPTED', 'SPEC_NOT_EXECUTABLE', 'INTERNAL_ERROR'] as const)(
    'leaves none with %s, which another try does not mend',
    async (code) => {
      await fail(code);
      expect(await letters()).toEqual([]);
      expect(await db.database.query('select 1 from outbox')).toEqual([]);
    },
  );
});

describe('replaying the letter of a task', () => {
  beforeEach(() => fail('EMBEDDING_FAILED'));

  it('retries the task, and does nothing the second time', async () => {
    const id = await onlyId();
    const first = await replay(id);
    expect(first).toMatchObject({ state: 'REPLAYED', settledAt: expect.any(Date), settledBy: '7' });
    expect(await replay(id)).toEqual(first);
    expect(await task()).toMatchObject({ task_status: 5, retry_count: 0 });
    expect(await retries()).toHaveLength(1);
    expect(publisher.sent.map(({ value }) => value.taskId)).toEqual([taskId]);
  });

  it('does the work of two replays once that both found it open', async () => {
    const outcomes = await twoAtOnce(
      await onlyId(),
      'select 1 from document where id = $1 for update',
      planted.documentId,
    );
    expect(outcomes).toEqual(['REPLAYED', 'REPLAYED']);
    expect(await retries()).toHaveLength(1);
    expect(publisher.sent).toHaveLength(1);
  });

  it('leaves the letter open when the retry is refused', async () => {
    const id = await onlyId();
    publisher.refuse();
    expect(await codeOf(replay(id))).toBe('BROKER_UNAVAILABLE');
    await db.database.query('update document set deleted_at = now() where id = $1', [planted.documentId]);
    expect(await codeOf(replay(id))).toBe('TASK_SUPERSEDED');
    expect(await letters()).toMatchObject([{ state: 'OPEN', settledAt: null }]);
    expect(await task()).toMatchObject({ task_status: 4 });
  });

  it('needs nobody once the task itself was retried; when it fails again there is a new letter', async () => {
    const id = await onlyId();
    await retryTask.retry(defaultTenant, taskId, '9');
    expect(await replay(id)).toMatchObject({ state: 'REPLAYED', settledBy: '9' });
    expect(publisher.sent).toHaveLength(1);
    await fail('EMBEDDING_FAILED');
    expect((await letters()).map(({ state }) => state)).toEqual(['OPEN', 'REPLAYED']);
  });

  it('is refused for unknown letters and those of another tenant', async () => {
    expect(await codeOf(replay('77'))).toBe('DEAD_LETTER_NOT_FOUND');
    expect(await codeOf(replay(await onlyId(), '7'))).toBe('DEAD_LETTER_NOT_FOUND');
    expect(await codeOf(discard('77'))).toBe('DEAD_LETTER_NOT_FOUND');
  });
});

describe('replaying the letter of a message', () => {
  it('publishes it as it was, once', async () => {
    await putAside(message());
    const id = await onlyId();
    await replay(id);
    expect(await replay(id)).toMatchObject({ kind: 'MESSAGE', state: 'REPLAYED' });
    expect(publisher.returned).toEqual([
      { topic: Topic.BuildIndex, key: '5', bytes: Buffer.from('{"taskId":'), headers: { 'x-schema-version': '1' } },
    ]);
  });

  it('publishes it once for two replays that both found it open', async () => {
    await putAside(message());
    const id = await onlyId();
    const outcomes = await twoAtOnce(id, 'select 1 from dead_letter where id = $1 for update', id);
    expect(outcomes).toEqual(['REPLAYED', 'REPLAYED']);
    expect(publisher.returned).toHaveLength(1);
  });

  it('leaves the letter open when the broker refuses', async () => {
    await putAside(message());
    publisher.refuse();
    expect(await codeOf(replay(await onlyId()))).toBe('BROKER_UNAVAILABLE');
    expect(await letters()).toMatchObject([{ state: 'OPEN' }]);
  });

  it.each([
    ['whose topic is none of ours', message({ topic: 'elsewhere' })],
    ['whose value was too long to be kept', message({ value: Buffer.alloc(keptValueBytes + 1, 'x') })],
  ])('is refused for one %s', async (_, incoming) => {
    await putAside(incoming);
    expect(await codeOf(replay(await onlyId()))).toBe('DEAD_LETTER_NOT_REPLAYABLE');
    expect(await letters()).toMatchObject([{ state: 'OPEN' }]);
    expect(publisher.returned).toEqual([]);
  });
});

describe('what is kept of a message', () => {
  it('is one letter for any number of deliveries, and another for another message', async () => {
    await putAside(message());
    await putAside(message());
    expect(await letters()).toHaveLength(1);
    await putAside(message({ value: null }));
    await putAside(message({ value: Buffer.alloc(0) }));
    expect((await letters()).map((letter) => 'value' in letter && letter.value)).toEqual(['', null, '{"taskId":']);
  });

  it('is bounded, and text, whatever came', async () => {
    const long = 'é\0'.repeat(10_000);
    const headers = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}${long.slice(0, 2_000)}`, long]));
    await putAside({ topic: long, key: long, value: Buffer.alloc(1_000_000, Buffer.from([0xff, 0])), headers });
    const [row] = await db.database.query<{ size: number }>('select octet_length(l::text) as size from dead_letter l');
    expect(row?.size).toBeLessThan(150_000);
    expect(await letters()).toMatchObject([{ valueBytes: 1_000_000 }]);
  });
});

describe('discarding a letter', () => {
  it('lets its task be; what was settled one way cannot be settled the other', async () => {
    await fail('EMBEDDING_FAILED');
    const id = await onlyId();
    const first = await discard(id);
    expect(first).toMatchObject({ state: 'DISCARDED', settledBy: '8' });
    expect(await discard(id)).toEqual(first);
    expect(await codeOf(replay(id))).toBe('DEAD_LETTER_SETTLED');
    expect(await task()).toMatchObject({ task_status: 4 });
    await fail('EMBEDDING_FAILED');
    const [second] = await letters();
    await replay(second?.deadLetterId ?? '');
    expect(await codeOf(discard(second?.deadLetterId ?? ''))).toBe('DEAD_LETTER_SETTLED');
  });
});
