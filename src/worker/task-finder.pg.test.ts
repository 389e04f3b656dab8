import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeadLetterRepository } from '../database/repositories/dead-letter-repository.js';
import { TaskLeaseRepository, type ClaimedTask } from '../database/repositories/task-lease-repository.js';
import type { Id } from '../domain/ids/id.js';
import { silentLogger } from '../logging/logger.js';
import { ConsumerGroup, typesOfGroup } from '../messaging/topic.js';
import { plantDocument, plantTask, testIds } from '../testing/factories.js';
import { ScriptedConsumer } from '../testing/scripted-consumer.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { ClaimTask } from './claim-task.js';
import { TaskFinder } from './task-finder.js';
import { TaskIntake } from './task-intake.js';

interface TestWorker {
  readonly finder: TaskFinder;
  readonly intake: TaskIntake;
  /** What it works on, in the order that it was claimed. */
  readonly working: ClaimedTask[];
  finish(): void;
}

let db: TestDatabase;
let leases: TaskLeaseRepository;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  leases = new TaskLeaseRepository(db.database);
});
afterAll(() => db.close());
beforeEach(() =>
  db.database.query('update task set task_status = 7, finished_at = now() where task_status in (1, 2, 5)'),
);

function newWorker(workerId: string, slots: number, group: ConsumerGroup = ConsumerGroup.Index): TestWorker {
  const working: ClaimedTask[] = [];
  const ends: (() => void)[] = [];
  const execute = (task: ClaimedTask): Promise<void> => {
    working.push(task);
    return new Promise((resolve) => ends.push(resolve));
  };
  const intake = new TaskIntake(
    {
      consumer: new ScriptedConsumer(),
      claims: new ClaimTask(leases, { workerId, leaseMs: 60_000 }),
      letters: new DeadLetterRepository(db.database, testIds),
      execute,
      urgent: () => Promise.resolve([]),
      logger: silentLogger,
    },
    slots,
  );
  const finder = new TaskFinder(
    { leases, intake, random: Math.random, logger: silentLogger },
    { types: typesOfGroup(group), everyMs: 60_000, afterMs: 3_000 },
  );
  return { finder, intake, working, finish: () => ends.splice(0).forEach((end) => end()) };
}

const longSent = `sent_at = now() - interval '1 minute'`;

/** A task that was sent long ago and never claimed, or whatever `assignments` make of it. */
async function lost(assignments = longSent): Promise<Id> {
  const taskId = await plantTask(db.database, await plantDocument(db.database));
  await db.database.query(`update task set ${assignments} where id = $1`, [taskId]);
  return taskId;
}

const held = (until: string) => `task_status = 2, attempt = 1, worker_id = 'dead', lease_until = now() ${until}`;
const found = async (slots = 10) => {
  const worker = newWorker('w', slots);
  await worker.finder.runOnce();
  return worker.working.map(({ id }) => id);
};

describe('finding tasks without a message', () => {
  it('takes what is new and was sent a while ago, what is due, and what a silent worker holds', async () => {
    const ids = [
      await lost(),
      await lost(`task_status = 5, next_retry_at = now() - interval '1 second'`),
      await lost(held(`- interval '1 second'`)),
    ];
    expect(await found()).toEqual(ids);
  });

  it('leaves what was just sent, is not due, is held, or is out of retries', async () => {
    await lost('sent_at = now()');
    await lost(`task_status = 5, next_retry_at = now() + interval '1 hour'`);
    await lost(held(`+ interval '1 hour'`));
    await lost(`${held(`- interval '1 second'`)}, retry_count = max_retry_count`);
    expect(await found()).toEqual([]);
  });

  it('leaves what is of another kind', async () => {
    const parse = await lost(`${longSent}, task_type = 1, current_stage = 2`);
    expect(await found()).toEqual([]);
    const parser = newWorker('p', 1, ConsumerGroup.Parse);
    await parser.finder.runOnce();
    expect(parser.working.map(({ id }) => id)).toEqual([parse]);
  });

  it('takes the oldest first, and those of batches after all others', async () => {
    const bulk = await lost(`${longSent}, task_type = 4`);
    const [first, second] = [await lost(), await lost()];
    expect(await found(2)).toEqual([first, second]);
    expect(await found()).toEqual([bulk]);
  });

  it('takes the oldest first of parses, too, and those in bulk after all others', async () => {
    const parse = `${longSent}, task_type = 1, current_stage = 2`;
    const [bulk, single] = [await lost(`${parse}, priority = 2`), await lost(`${parse}, priority = 1`)];
    const parser = newWorker('p', 2, ConsumerGroup.Parse);
    await parser.finder.runOnce();
    await parser.finder.runOnce();
    expect(parser.working.map(({ id }) => id)).toEqual([single, bulk]);
  });

  it('takes none of a batch while what a person has just asked for waits for its message', async () => {
    const bulk = await lost(`${longSent}, task_type = 4`);
    const asked = await lost('sent_at = now()');
    expect(await found()).toEqual([]);
    await db.database.query('update task set task_status = 7, finished_at = now() where id = $1', [asked]);
    expect(await found()).toEqual([bulk]);
  });

  it('takes no more than it has slots, and looks again when one is free', async () => {
    const ids = [await lost(), await lost(), await lost()];
    const worker = newWorker('w', 1);
    expect(await worker.finder.runOnce()).toBe(1);
    expect(await worker.finder.runOnce()).toBe(0);
    worker.finish();
    await worker.intake.drained();
    expect(await worker.finder.runOnce()).toBe(1);
    expect(worker.working.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  it('shares the tasks between workers that look at once, each to one', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => lost()));
    const workers = ['a', 'b', 'c'].map((name) => newWorker(name, 2));
    await Promise.all(workers.map(({ finder }) => finder.runOnce()));
    expect(workers.map(({ working }) => working.length)).toEqual([2, 2, 2]);
    expect(workers.flatMap(({ working }) => working.map(({ id }) => id)).sort()).toEqual(ids.sort());
  });

  it('finds nothing for a worker that stops', async () => {
    await lost();
    const worker = newWorker('w', 1);
    await worker.intake.stop();
    expect(await worker.finder.runOnce()).toBe(0);
  });
});
