import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskLeaseRepository, type ClaimedTask } from '../database/repositories/task-lease-repository.js';
import type { Id } from '../domain/ids/id.js';
import { silentLogger } from '../logging/logger.js';
import type { IncomingMessage } from '../messaging/message-consumer.js';
import { encodeValue } from '../messaging/message-codec.js';
import { Topic } from '../messaging/topic.js';
import { plantDocument, plantTask, testIds, type PlantedDocument } from '../testing/factories.js';
import { ScriptedConsumer } from '../testing/scripted-consumer.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
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
  intake = new TaskIntake(
    {
      consumer,
      leases: new TaskLeaseRepository(db.database),
      execute: (task) =>
        new Promise((resolve) => {
          working.push({ task, finish: resolve });
          onWork(working.length);
        }),
      logger: silentLogger,
    },
    { slots: 1, workerId: 'w', leaseMs: 60_000 },
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

  it('takes nothing more once it is stopped', async () => {
    const taskId = await plantTask(db.database, planted);
    await intake.stop();
    expect(consumer.stopped).toBe(true);
    expect(await consumer.deliver(message(taskId))).toMatchObject({ type: 'later' });
    expect(working).toHaveLength(0);
  });
});
