import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskLogRepository } from '../../database/repositories/task-log-repository.js';
import { TaskRepository } from '../../database/repositories/task-repository.js';
import { WorkerRepository } from '../../database/repositories/worker-repository.js';
import { systemClock } from '../../domain/clock.js';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { ReadTasks } from '../../progress/read-tasks.js';
import { plantDocument, plantTask } from '../../testing/factories.js';
import { OwnRedis } from '../../testing/own-redis.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { RedisFinishedTasks } from './redis-finished-tasks.js';
import { RedisLink } from './redis-link.js';

/** More than a busy machine needs for an answer. */
const patienceMs = 2_000;

let db: TestDatabase;
let server: OwnRedis;
let link: RedisLink;
let finished: RedisFinishedTasks;
/** Reads with and without what is remembered. */
let reading: ReadTasks;
let plain: ReadTasks;

const keyOf = (taskId: Id): string => `test:finished-task:${defaultTenant}:${taskId}`;
const isKept = async (taskId: Id): Promise<boolean> => (await server.tell('EXISTS', keyOf(taskId))) === ':1\r\n';
const ended = async (status: number): Promise<Id> => {
  const taskId = await plantTask(db.database, await plantDocument(db.database));
  await db.database.query('update task set task_status = $2, finished_at = now() where id = $1', [taskId, status]);
  return taskId;
};

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
});
afterAll(() => db.close());
beforeEach(async () => {
  server = await OwnRedis.create();
  link = new RedisLink(server.url, silentLogger, patienceMs);
  await link.start();
  finished = new RedisFinishedTasks(link, 'test');
  const { database } = db;
  const workers = new WorkerRepository(database);
  const parts = [new TaskRepository(database), new TaskLogRepository(database), workers, systemClock, 60_000] as const;
  reading = new ReadTasks(...parts, finished);
  plain = new ReadTasks(...parts);
});
afterEach(async () => {
  await link.stop();
  server.wake();
  await server.remove();
});

describe('finished tasks in Redis', () => {
  it.each([3, 7])('are told as the row tells them (status %i), without the row', async (status) => {
    const taskId = await ended(status);
    const expected = await plain.get(defaultTenant, taskId);
    await finished.keep(defaultTenant, await reading.get(defaultTenant, taskId));
    await db.database.query('delete from task where id = $1', [taskId]);
    expect(await reading.get(defaultTenant, taskId)).toEqual(expected);
  });

  it.each([1, 4, 5, 6])('are only those that never change again, not status %i', async (status) => {
    const taskId = await plantTask(db.database, await plantDocument(db.database));
    const over = status === 4 || status === 6;
    await db.database.query(
      `update task set task_status = $2::smallint, finished_at = case when $3 then now() end,
              next_retry_at = case when $2::smallint = 5 then now() end where id = $1`,
      [taskId, status, over],
    );
    await reading.get(defaultTenant, taskId);
    await link.ask(null, (redis) => redis.ping());
    expect(await isKept(taskId)).toBe(false);
  });

  it('are kept by the look that finds them, and forgotten in time', async () => {
    const taskId = await ended(3);
    await reading.get(defaultTenant, taskId);
    await link.ask(null, (redis) => redis.ping());
    expect(await isKept(taskId)).toBe(true);
    expect(Number((await server.tell('TTL', keyOf(taskId))).slice(1))).toBeGreaterThan(0);
  });

  it('are nobody else’s', async () => {
    const taskId = await ended(3);
    await finished.keep(defaultTenant, await reading.get(defaultTenant, taskId));
    await expect(reading.get('99', taskId)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it.each(['', '{', '[]', '7', '{"taskId":"1"}'])('are read from the row where Redis holds %j', async (text) => {
    const taskId = await ended(3);
    await server.tell('SET', keyOf(taskId), text);
    expect(await reading.get(defaultTenant, taskId)).toEqual(await plain.get(defaultTenant, taskId));
  });

  it('are read from the row where a field is missing', async () => {
    const taskId = await ended(3);
    const { percent, ...rest } = await plain.get(defaultTenant, taskId);
    await server.tell('SET', keyOf(taskId), JSON.stringify(rest));
    expect(await reading.get(defaultTenant, taskId)).toMatchObject({ percent });
  });

  it('are read from the row while Redis hangs', async () => {
    const taskId = await ended(3);
    server.hang();
    expect(await reading.get(defaultTenant, taskId)).toMatchObject({ taskId });
  });
});
