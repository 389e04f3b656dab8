import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeadLetterRepository } from '../database/repositories/dead-letter-repository.js';
import { TaskLeaseRepository, type ClaimedTask } from '../database/repositories/task-lease-repository.js';
import type { Id } from '../domain/ids/id.js';
import { TaskPriority } from '../domain/task/task-priority.js';
import { silentLogger } from '../logging/logger.js';
import type { IncomingMessage } from '../messaging/message-consumer.js';
import { encodeValue } from '../messaging/message-codec.js';
import { ConsumerGroup, Topic, typesOfGroup } from '../messaging/topic.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../testing/factories.js';
import { ScriptedConsumer } from '../testing/scripted-consumer.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { ClaimTask } from './claim-task.js';
import { TaskIntake } from './task-intake.js';

let db: TestDatabase;
let planted: PlantedDocument;
let consumer: ScriptedConsumer;
let intake: TaskIntake;
/** Claimed tasks, and how to end each. */
let working: { task: ClaimedTask; finish: () => void }[];
let onWork: (count: number) => void;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
});
afterAll(() => db.close());
beforeEach(async () => {
  planted = await plantDocument(db.database);
  consumer = new ScriptedConsumer();
  working = [];
  onWork = () => undefined;
  const leases = new TaskLeaseRepository(db.database);
  intake = new TaskIntake(
    {
      consumer,
      claims: new ClaimTask(leases, { workerId: 'w', leaseMs: 60_000 }),
      urgent: (limit) => leases.claimable(typesOfGroup(ConsumerGroup.Index), 0, limit, [TaskPriority.Interactive]),
      execute: (task) =>
        new Promise((resolve) => {
          working.push({ task, finish: resolve });
          onWork(working.length);
        }),
      letters: new DeadLetterRepository(db.database, testIds),
      logger: silentLogger,
    },
    1,
  );
  await intake.start();
});

const message = (taskId: Id, documentId = planted.documentId): IncomingMessage => ({
  topic: Topic.BuildIndex,
  key: documentId,
  value: Buffer.from(encodeValue({ documentId, taskId })),
  headers: {},
});
const another = async () => {
  const other = await plantDocument(db.database);
  return { id: await plantTask(db.database, other), documentId: other.documentId };
};
const begun = (count: number) =>
  new Promise<void>((resolve) => {
    if (working.length >= count) resolve();
    onWork = (now) => now >= count && resolve();
  });

describe('taking messages in', () => {
  it('acknowledges a message once its task is claimed', async () => {
    const taskId = await plantTask(db.database, planted);
    expect(await consumer.deliver(message(taskId))).toEqual({ type: 'done' });
    expect(working.map(({ task }) => task)).toEqual([expect.objectContaining({ id: taskId, attempt: 1 })]);
  });

  it('does the work of a doubled message once', async () => {
    const taskId = await plantTask(db.database, planted);
    await consumer.deliver(message(taskId));
    working[0]?.finish();
    await intake.drained();
    expect(await consumer.deliver(message(taskId))).toEqual({ type: 'done' });
    expect(working).toHaveLength(1);
  });

  it('moves a message aside that cannot be read', async () => {
    const verdict = await consumer.deliver({ ...message('1'), value: Buffer.from('{') });
    expect(verdict).toMatchObject({ type: 'dead', reason: expect.stringContaining('JSON') });
    expect(await db.database.query('select topic, key, value, reason, state from dead_letter')).toEqual([
      { topic: Topic.BuildIndex, key: planted.documentId, value: '{', reason: expect.any(String), state: 'OPEN' },
    ]);
  });

  it('keeps a letter of a message that is given up, and does not look at its task', async () => {
    const taskId = await plantTask(db.database, planted);
    const verdict = await consumer.deliver({ ...message(taskId), givenUp: 'too many were lost with it' });
    expect(verdict).toEqual({ type: 'dead', reason: 'too many were lost with it' });
    const kept = await db.database.query('select reason, headers from dead_letter order by id desc limit 1');
    expect(kept).toEqual([{ reason: 'too many were lost with it', headers: message(taskId).headers }]);
    expect(working).toEqual([]);
  });

  it('leaves a message where it is while the database cannot keep its letter', async () => {
    await db.database.query('alter table dead_letter rename to elsewhere');
    const unreadable = { ...message('1'), value: Buffer.from('{') };
    expect(await consumer.deliver(unreadable)).toMatchObject({ type: 'later' });
    await db.database.query('alter table elsewhere rename to dead_letter');
    expect(await consumer.deliver(unreadable)).toMatchObject({ type: 'dead' });
  });

  it('gives its slot to a build that a person waits for, before one of a batch, whose message stays', async () => {
    await db.database.query('update task set task_status = 7, finished_at = clock_timestamp() where task_status = 1');
    const [asked, bulk] = [await another(), await another()];
    await db.database.query('update task set task_type = 4 where id = $1', [bulk.id]);
    const ofBatch = { ...message(bulk.id, bulk.documentId), topic: Topic.RebuildIndex };
    expect(await consumer.deliver(ofBatch)).toMatchObject({ type: 'later' });
    expect(working.map(({ task }) => task.id)).toEqual([asked.id]);
    working[0]?.finish();
    await intake.drained();
    expect(await consumer.deliver(ofBatch)).toEqual({ type: 'done' });
    expect(working.map(({ task }) => task.id)).toEqual([asked.id, bulk.id]);
    // The message that comes too late finds its task in hand.
    working[1]?.finish();
    await intake.drained();
    expect(await consumer.deliver(message(asked.id, asked.documentId))).toEqual({ type: 'done' });
    expect(working).toHaveLength(2);
  });

  it('pauses while all slots are taken, and goes on when one is free', async () => {
    const [first, second] = [await another(), await another()];
    await consumer.deliver(message(first.id, first.documentId));
    expect(consumer.paused).toBe(true);
    expect(await consumer.deliver(message(second.id, second.documentId))).toMatchObject({ type: 'later' });
    working[0]?.finish();
    await intake.drained();
    expect(consumer.paused).toBe(false);
    expect(await consumer.deliver(message(second.id, second.documentId))).toEqual({ type: 'done' });
    expect(working).toHaveLength(2);
  });

  it('looks again for a task whose message came before its commit', async () => {
    const reserved = testIds.next();
    expect(await consumer.deliver(message(reserved))).toEqual({ type: 'done' });
    expect(working).toHaveLength(0);
    const taskId = await plantTask(db.database, planted);
    await db.database.query('update task set id = $2 where id = $1', [taskId, reserved]);
    await begun(1);
    expect(working[0]?.task.id).toBe(reserved);
  });

  it('looks again for a task that is committed between the claim and the look for the reason', async () => {
    const taskId = await plantTask(db.database, planted);
    await db.database.query("update task set next_retry_at = now() + interval '1 hour' where id = $1", [taskId]);
    // Stands for the commit: the claim does not see the task as free, the next statement does.
    const query = db.database.query.bind(db.database);
    const spy = jest.spyOn(db.database, 'query').mockImplementationOnce(async (...claim) => {
      const rows = await query(...claim);
      await query('update task set next_retry_at = null where id = $1', [taskId]);
      return rows;
    });
    expect(await consumer.deliver(message(taskId))).toEqual({ type: 'done' });
    spy.mockRestore();
    expect(working).toHaveLength(0);
    await begun(1);
    expect(working[0]?.task.id).toBe(taskId);
  });

  it('looks again for a failed task whose retry has yet to be committed', async () => {
    const taskId = await plantTask(db.database, planted);
    await db.database.query('update task set task_status = 4, finished_at = now() where id = $1', [taskId]);
    expect(await consumer.deliver(message(taskId))).toEqual({ type: 'done' });
    await db.database.query(
      'update task set task_status = 5, finished_at = null, next_retry_at = now() where id = $1',
      [taskId],
    );
    await begun(1);
    expect(working[0]?.task.id).toBe(taskId);
  });

  it('takes nothing more once it is stopped', async () => {
    const taskId = await plantTask(db.database, planted);
    await intake.stop();
    expect(consumer.stopped).toBe(true);
    expect(await consumer.deliver(message(taskId))).toMatchObject({ type: 'later' });
    expect(working).toHaveLength(0);
  });
});
