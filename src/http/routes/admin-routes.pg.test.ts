import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskLeaseRepository } from '../../database/repositories/task-lease-repository.js';
import { WorkerRepository, type WorkerCard } from '../../database/repositories/worker-repository.js';
import type { Id } from '../../domain/ids/id.js';
import { brokerUnavailable } from '../../messaging/deadline.js';
import { Topic } from '../../messaging/topic.js';
import { plantDocument, plantTask, testIds } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { QueueListHead, QueueView } from '../views/queue-view.js';
import { WorkerView } from '../views/worker-view.js';

let api: HttpApi;
let workers: WorkerRepository;

beforeAll(async () => {
  api = await startHttpApi();
  workers = new WorkerRepository(api.test.database);
});
afterAll(() => api.stop());
beforeEach(async () => {
  await sql('update task set task_status = 7, finished_at = now() where task_status in (1, 2, 5)');
  await sql('delete from worker');
});

const sql = (text: string, values: unknown[] = []) => api.test.database.query(text, values);
const card = (slots: Record<string, number> = { parse: 2, index: 2 }): WorkerCard => ({
  id: testIds.next(),
  host: 'harbour',
  pid: 4_242,
  slots,
});
const newTask = async (assignments = ''): Promise<Id> => {
  const taskId = await plantTask(api.test.database, await plantDocument(api.test.database));
  if (assignments) await sql(`update task set ${assignments} where id = $1`, [taskId]);
  return taskId;
};
const waiting = async (taskId: Id) => (await api.server.get(`/tasks/${taskId}`)).body.waiting;

describe('GET /admin/workers', () => {
  it('tells who is alive, and what each holds until when', async () => {
    const worker = card();
    await workers.beat(worker, 60_000);
    const taskId = await newTask();
    await new TaskLeaseRepository(api.test.database).claim(taskId, worker.id, 60_000);
    const { status, body } = await api.server.get('/admin/workers');
    const [item] = body.items as Record<string, unknown>[];
    expect(status).toBe(200);
    expect(shapeFaults(WorkerView, item, api.server.limits)).toEqual([]);
    expect(item).toMatchObject({
      workerId: worker.id,
      host: 'harbour',
      slots: { parse: 2, index: 2 },
      alive: true,
      holds: [{ taskId, attempt: 1, taskType: { name: 'BUILD_INDEX' }, currentStage: { name: 'CHUNK_EXECUTE' } }],
    });
  });

  it('shows one that fell silent as not alive, and none that left', async () => {
    const [silent, gone] = [card(), card()];
    await workers.beat(gone, 60_000);
    await workers.beat(silent, 60_000);
    await sql(`update worker set alive_until = now() - interval '1 second' where id = $1`, [silent.id]);
    expect((await api.server.get('/admin/workers')).body.items).toHaveLength(2);
    await workers.leave(gone.id);
    expect((await api.server.get('/admin/workers')).body.items).toMatchObject([{ workerId: silent.id, alive: false }]);
  });
});

describe('GET /admin/queues', () => {
  it('tells what waits, runs and is to be retried, and who would take it', async () => {
    await workers.beat(card({ index: 1 }), 60_000);
    await newTask(`created_at = now() - interval '1 minute'`);
    await newTask();
    await newTask(`task_status = 5, next_retry_at = now()`);
    const { body } = await api.server.get('/admin/queues');
    const items = body.items as { taskType: { name: string }; oldestWaitingMs: number }[];
    for (const item of items) expect(shapeFaults(QueueView, item, api.server.limits)).toEqual([]);
    const { broker, outbox, drained } = body;
    expect(shapeFaults(QueueListHead, { broker, outbox, drained }, api.server.limits)).toEqual([]);
    const builds = items.find(({ taskType }) => taskType.name === 'BUILD_INDEX');
    expect(builds).toMatchObject({ waiting: 2, running: 0, retrying: 1, workers: 1 });
    expect(builds?.oldestWaitingMs).toBeGreaterThan(59_000);
    expect(items.find(({ taskType }) => taskType.name === 'PARSE_DOCUMENT')).toMatchObject({ waiting: 0, workers: 0 });
  });

  it('tells how far the consumers of each topic are behind', async () => {
    api.consumers.lags = new Map([
      [Topic.BuildIndex, 3],
      [Topic.RebuildIndex, 700],
    ]);
    const { body } = await api.server.get('/admin/queues');
    expect(body.items).toMatchObject([
      { taskType: { name: 'PARSE_DOCUMENT' }, lag: 0, lagReason: null },
      { taskType: { name: 'BUILD_INDEX' }, lag: 3 },
      { taskType: { name: 'DELETE_INDEX' }, lag: 0 },
      { taskType: { name: 'REBUILD_INDEX' }, lag: 700 },
    ]);
  });

  it('tells the rest, and why the lag is not known, while the broker does not answer', async () => {
    api.consumers.trouble = brokerUnavailable('The message broker did not answer in time.');
    const { status, body } = await api.server.get('/admin/queues');
    api.consumers.trouble = undefined;
    expect(status).toBe(200);
    for (const item of body.items as object[]) {
      expect(shapeFaults(QueueView, item, api.server.limits)).toEqual([]);
      expect(item).toMatchObject({ lag: null, lagReason: 'The message broker did not answer in time.' });
    }
  });
});

describe('GET /admin/queues while a broker is drained', () => {
  it('tells how much is left there, beside the lag of the broker in use', async () => {
    api.drained.lags = new Map([
      [Topic.BuildIndex, 40],
      [Topic.ParseDocument, 2],
    ]);
    const { body } = await api.server.get('/admin/queues');
    expect(body).toMatchObject({ broker: 'kafka', drained: [{ broker: 'redis', lag: 42, lagReason: null }] });
  });

  it('tells the rest, and why it is not known, when that one is gone', async () => {
    api.drained.trouble = brokerUnavailable('Redis did not tell how much waits.');
    const { status, body } = await api.server.get('/admin/queues');
    api.drained.trouble = undefined;
    expect(status).toBe(200);
    const reason = 'Redis did not tell how much waits.';
    expect(body.drained).toEqual([{ broker: 'redis', lag: null, lagReason: reason }]);
    expect((body.items as object[])[0]).toMatchObject({ lag: 0, lagReason: null });
  });
});

describe('a task that waits', () => {
  it('is STARVED while no worker of its kind is alive, and WAITING when one is', async () => {
    const taskId = await newTask();
    await workers.beat(card({ parse: 2 }), 60_000);
    expect(await waiting(taskId)).toMatchObject({ state: 'STARVED', position: 0 });
    const { body } = await api.server.get('/tasks?taskStatus=NEW');
    expect(body.items).toMatchObject([{ taskId, waiting: { state: 'STARVED' } }]);
    await workers.beat(card({ index: 2 }), 60_000);
    expect(await waiting(taskId)).toMatchObject({ state: 'WAITING' });
    await sql(`update worker set alive_until = now() - interval '1 second'`);
    expect(await waiting(taskId)).toMatchObject({ state: 'STARVED' });
  });

  it('has those of its kind in front of it that are older, and those of batches behind', async () => {
    const bulk = await newTask('task_type = 4');
    const [first, second] = [await newTask(), await newTask()];
    await newTask('task_type = 1, current_stage = 2');
    const positions = [];
    for (const taskId of [first, second, bulk]) positions.push(await waiting(taskId));
    expect(positions).toMatchObject([{ position: 0 }, { position: 1 }, { position: 2 }]);
  });

  it('is STALLED in the hands of a worker that fell silent or gets no further', async () => {
    const held = `task_status = 2, attempt = 1, worker_id = '5', progressed_at = now()`;
    const taskId = await newTask(`${held}, lease_until = now() + interval '1 hour'`);
    expect(await waiting(taskId)).toBeUndefined();
    await sql(`update task set progressed_at = now() - interval '1 hour' where id = $1`, [taskId]);
    expect(await waiting(taskId)).toMatchObject({ state: 'STALLED' });
    await sql(`update task set progressed_at = now(), lease_until = now() - interval '1 second' where id = $1`, [
      taskId,
    ]);
    expect(await waiting(taskId)).toMatchObject({ state: 'STALLED' });
  });

  it('is RETRY_SCHEDULED between two attempts', async () => {
    const taskId = await newTask(`task_status = 5, next_retry_at = now() + interval '1 hour'`);
    expect(await waiting(taskId)).toMatchObject({ state: 'RETRY_SCHEDULED' });
  });
});
