import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RedisLink } from '../../adapters/redis/redis-link.js';
import { RedisTaskLock } from '../../adapters/redis/redis-task-lock.js';
import { DeadLetterRepository } from '../../database/repositories/dead-letter-repository.js';
import { TaskLeaseRepository, type ClaimedTask } from '../../database/repositories/task-lease-repository.js';
import type { Id } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { encodeValue } from '../../messaging/message-codec.js';
import { Topic } from '../../messaging/topic.js';
import { ClaimTask } from '../../worker/claim-task.js';
import { TaskIntake } from '../../worker/task-intake.js';
import { plantDocument, plantTask, testIds } from '../factories.js';
import { listeningLogger, type LogLine } from '../listening-logger.js';
import { OwnRedis } from '../own-redis.js';
import { ScriptedConsumer } from '../scripted-consumer.js';
import { openTestDatabase, type TestDatabase } from '../test-database.js';

const leaseMs = 60_000;

/** A worker's intake with a lock in front, whose work ends when the test says so. */
class LockedWorker {
  readonly working: ClaimedTask[] = [];
  readonly lines: LogLine[] = [];
  private readonly consumer = new ScriptedConsumer();
  private readonly ends: (() => void)[] = [];
  private onWork = (): void => undefined;
  private readonly intake: TaskIntake;

  constructor(
    name: string,
    readonly link: RedisLink,
    leases: TaskLeaseRepository,
  ) {
    const claims = new ClaimTask(leases, { workerId: name, leaseMs }, new RedisTaskLock(link, 'test', leaseMs));
    const execute = (task: ClaimedTask): Promise<void> => {
      this.working.push(task);
      this.onWork();
      return new Promise((resolve) => this.ends.push(resolve));
    };
    const letters = new DeadLetterRepository(db.database, testIds);
    this.intake = new TaskIntake(
      {
        consumer: this.consumer,
        claims,
        execute,
        urgent: () => Promise.resolve([]),
        letters,
        logger: listeningLogger(this.lines),
      },
      8,
    );
  }

  async start(): Promise<this> {
    await this.link.start();
    await this.intake.start();
    return this;
  }

  hears(taskId: Id): Promise<unknown> {
    const value = Buffer.from(encodeValue({ documentId: '1', taskId }));
    return this.consumer.deliver({ topic: Topic.BuildIndex, key: '1', value, headers: {} });
  }

  /** Resolves when it works on as many tasks. */
  worksOn(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.onWork = () => {
        if (this.working.length >= count) resolve();
      };
      this.onWork();
    });
  }

  async finish(): Promise<void> {
    for (const end of this.ends.splice(0)) end();
    await this.intake.drained();
  }

  get refusals(): unknown[] {
    return this.lines.filter(({ message }) => message === 'message led to no work').map(({ fields }) => fields.reason);
  }
}

/** More than a busy machine needs for an answer. */
const patienceMs = 2_000;

let db: TestDatabase;
let leases: TaskLeaseRepository;
let server: OwnRedis;
let workers: LockedWorker[];
let tasks: readonly Id[];

const newWorker = async (name: string): Promise<LockedWorker> => {
  const worker = new LockedWorker(name, new RedisLink(server.url, silentLogger, patienceMs), leases);
  workers.push(worker);
  return worker.start();
};
const newTask = async (): Promise<Id> => plantTask(db.database, await plantDocument(db.database));
const lockOf = (taskId: Id): string => `test:lock:index-task:${taskId}`;
const rowOf = async (taskId: Id) =>
  (await db.database.query('select attempt, worker_id as worker from task where id = $1', [taskId]))[0];

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  leases = new TaskLeaseRepository(db.database);
});
afterAll(() => db.close());
beforeEach(async () => {
  server = await OwnRedis.create();
  workers = [];
});
afterEach(async () => {
  server.wake();
  for (const worker of workers) {
    await worker.finish();
    await worker.link.stop();
  }
  await server.remove();
});

describe('claims behind a lock in Redis', () => {
  it('keep a doubled message from the row while the work goes on', async () => {
    const [first, second] = [await newWorker('first'), await newWorker('second')];
    const taskId = await newTask();
    await first.hears(taskId);
    await second.hears(taskId);
    await first.hears(taskId);
    expect([first.refusals, second.refusals]).toEqual([['held'], ['held']]);
    expect(await rowOf(taskId)).toEqual({ attempt: 1, worker: 'first' });
    expect(await server.tell('EXISTS', lockOf(taskId))).toBe(':1\r\n');
  });

  it('let the lock go when the work has ended, and when there was none', async () => {
    const worker = await newWorker('first');
    const [worked, refused] = [await newTask(), await newTask()];
    await db.database.query('update task set task_status = 7, finished_at = now() where id = $1', [refused]);
    await worker.hears(worked);
    await worker.hears(refused);
    await worker.finish();
    expect(worker.refusals).toEqual(['finished']);
    expect(await server.tell('EXISTS', lockOf(worked), lockOf(refused))).toBe(':0\r\n');
  });

  it('go past the lock of a worker that died before it claimed', async () => {
    const worker = await newWorker('first');
    const taskId = await newTask();
    await server.tell('SET', lockOf(taskId), 'of the dead');
    await worker.hears(taskId);
    await worker.worksOn(1);
    await worker.finish();
    expect(await server.tell('GET', lockOf(taskId))).toMatch('of the dead');
  });

  it('go past the lock of a worker whose lease is over', async () => {
    const worker = await newWorker('first');
    const taskId = await newTask();
    await leases.claim(taskId, 'of the dead', leaseMs);
    await db.database.query(`update task set lease_until = now() - interval '1 s' where id = $1`, [taskId]);
    await server.tell('SET', lockOf(taskId), 'of the dead');
    await worker.hears(taskId);
    await worker.worksOn(1);
    expect(await rowOf(taskId)).toEqual({ attempt: 2, worker: 'first' });
  });

  it.each([
    ['dead', () => server.kill()],
    ['hung', () => Promise.resolve(server.hang())],
    ['full of locks that nobody holds', () => fillWithLocks()],
    ['emptied', () => server.tell('FLUSHALL')],
  ] as const)('give each task to exactly one worker while Redis is %s', async (_how, harm) => {
    const [first, second] = [await newWorker('first'), await newWorker('second')];
    tasks = await Promise.all(Array.from({ length: 4 }, newTask));
    await harm();
    await Promise.all(tasks.flatMap((taskId) => [first.hears(taskId), second.hears(taskId)]));
    while (first.working.length + second.working.length < tasks.length) {
      await Promise.race([first.worksOn(first.working.length + 1), second.worksOn(second.working.length + 1)]);
    }
    const ids = [...first.working, ...second.working].map(({ id }) => id);
    expect(ids.sort()).toEqual([...tasks].sort());
    for (const taskId of tasks) expect(await rowOf(taskId)).toMatchObject({ attempt: 1 });
  });
});

async function fillWithLocks(): Promise<void> {
  for (const taskId of tasks) await server.tell('SET', lockOf(taskId), 'of nobody');
}
