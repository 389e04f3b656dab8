import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { TaskType } from '../../domain/task/task-type.js';
import { taskMessage } from '../../messaging/task-message.js';
import { Topic } from '../../messaging/topic.js';
import { ApiClient, at } from '../api-client.js';
import { servedRows } from '../served-rows.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import { firstReached, type FaultyProcess } from './faulty-process.js';
import type { FailpointName } from './failpoints.js';
import { announcedRandom } from './seeded-random.js';

const random = announcedRandom();
/** Workers that are told to stop; FAULT_STOPS asks for more. */
const stops = Number(process.env.FAULT_STOPS ?? 4);

let bench: FaultBench;
let api: ApiClient;
let support: FaultyProcess;
let workers: FaultyProcess[];
let expected: unknown[];
let copies = 0;

/** Only messages and upkeep lead it to tasks: a worker that looked for them itself would come before what is paused. */
const startWorker = (): Promise<FaultyProcess> =>
  bench.start('worker', { LOG_LEVEL: 'info', SEND_DEADLINE_MS: '500', FIND_INTERVAL_MS: '60000' });

beforeAll(async () => {
  bench = await FaultBench.open();
  const [front, ...others] = await Promise.all([
    bench.start('api'),
    bench.start('relay,upkeep'),
    startWorker(),
    startWorker(),
  ]);
  api = new ApiClient(front.service.baseUrl);
  [support, ...workers] = others;
  const { documentId } = await accepted();
  await bench.settle();
  expected = await servedRows(bench.database, documentId);
}, 240_000);

afterAll(() => bench.close(), 60_000);

async function accepted(): Promise<{ documentId: Id; planId: Id; taskId: Id }> {
  copies += 1;
  const { documentId, planId } = await api.confirmed(`copy-${copies}.md`, faultText(copies));
  const { status, body } = await api.build(documentId, planId);
  expect(status).toBe(202);
  const taskId = at<Id>(body, 'taskId');
  bench.accepted.push(taskId);
  return { documentId, planId, taskId };
}

async function endsAsUndisturbed(documentId: Id): Promise<void> {
  expect(await bench.violations()).toEqual([]);
  expect(await servedRows(bench.database, documentId)).toEqual(expected);
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a worker that is paused past its lease and then goes on writes nothing', () => {
  const places: readonly FailpointName[] = ['build: batch embedded', 'build: version switched, not committed'];

  it.each(places)(
    '%s',
    async (name) => {
      for (const worker of workers) worker.arm(name, 'pause');
      const { documentId, taskId } = await accepted();
      const zombie = await firstReached(workers, name);
      // One that was paused inside a transaction holds its locks until the server ends the session.
      const task = await api.ended(taskId);
      expect([at(task, 'taskStatus.name'), at(task, 'attempt')]).toEqual(['SUCCESS', 2]);
      zombie.service.signal('SIGCONT');
      await until(() => /went on elsewhere|could not be stored/.test(zombie.service.text), 'the zombie noticed');
      await endsAsUndisturbed(documentId);
    },
    120_000,
  );
});

it('a sweeper that found a lease ended leaves a task alone that was completed meanwhile', async () => {
  for (const worker of workers) worker.arm('build: batch embedded', 'pause');
  support.arm('upkeep: lost task found', 'hold');
  const { documentId, taskId } = await accepted();
  const paused = await firstReached(workers, 'build: batch embedded');
  await support.reached('upkeep: lost task found');
  paused.service.signal('SIGCONT');
  expect(at(await api.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
  support.release('upkeep: lost task found');
  await endsAsUndisturbed(documentId);
  expect(at(await api.get(`/tasks/${taskId}`).then(({ body }) => body), 'attempt')).toBe(1);
}, 120_000);

it('of two workers that claim one task at the same moment one gets it', async () => {
  const { documentId, planId } = await api.confirmed(`copy-${(copies += 1)}.md`, faultText(copies));
  for (const worker of workers) worker.service.signal('SIGSTOP');
  const { body } = await api.build(documentId, planId);
  const taskId = at<Id>(body, 'taskId');
  bench.accepted.push(taskId);
  const release = await bench.hold('select 1 from task where id = $1 for update', [taskId]);
  for (const worker of workers) worker.service.signal('SIGCONT');
  // Other keys lie in other partitions: the same message comes to both workers.
  for (let key = 0; key < 12; key += 1) await sendCopy(String(key), { documentId, planId, taskId });
  await until(async () => (await claimsWaiting()) >= 2, 'two claims stood at one row');
  await release();
  await endsAsUndisturbed(documentId);
  expect(at((await api.get(`/tasks/${taskId}`)).body, 'attempt')).toBe(1);
}, 120_000);

async function sendCopy(key: string, task: { documentId: Id; planId: Id; taskId: Id }): Promise<void> {
  const own = { id: task.taskId, tenantId: defaultTenant, taskType: TaskType.BuildIndex };
  const message = taskMessage({ ...task, ...own, priority: TaskPriority.Interactive, trace: null });
  await bench.broker.sendForeign(Topic.BuildIndex, {
    ...message,
    key,
    value: Buffer.from(JSON.stringify(message.value)),
  });
}

async function claimsWaiting(): Promise<number> {
  const rows = await bench.database.query(
    `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%update task%attempt + 1%'`,
  );
  return rows.length;
}

it('a reader sees the old version or the new one, whole, also when the switch is struck', async () => {
  const first = await accepted();
  await api.ended(first.taskId);
  const steps = [
    { level: 'PARENT', strategy: 1 },
    { level: 'CHILD', strategy: 2, params: { maxTokens: 40, overlapTokens: 0 } },
  ];
  const edited = await api.post(`/documents/${first.documentId}/plans`, { steps });
  expect(edited.status).toBe(201);
  const planId = at<Id>(edited.body, 'planId');
  await api.post(`/plans/${planId}/confirm`, { operatorId: '7' });
  const before = await servedNow(first.documentId);
  const seen = new Set<string>();
  let reading = true;
  const reader = (async () => {
    while (reading) seen.add(await servedNow(first.documentId));
  })();
  for (const worker of workers) worker.arm('build: version switched, not committed');
  const { body } = await api.build(first.documentId, planId);
  bench.accepted.push(at<Id>(body, 'taskId'));
  const killed = await firstReached(workers, 'build: version switched, not committed');
  await killed.service.ended();
  workers = [...workers.filter((worker) => worker !== killed), await startWorker()];
  expect(at(await api.ended(at(body, 'taskId')), 'taskStatus.name')).toBe('SUCCESS');
  const afterwards = await servedNow(first.documentId);
  seen.add(afterwards);
  reading = false;
  await reader;
  expect(afterwards).not.toBe(before);
  expect([...seen].sort()).toEqual([before, afterwards].sort());
  expect(await bench.violations()).toEqual([]);
}, 120_000);

/** Which version a reader is given, and how much of it. */
async function servedNow(documentId: Id): Promise<string> {
  const { body } = await api.get(`/documents/${documentId}/chunks?level=CHILD&limit=200`);
  return `${at<number>(body, 'version')}: ${at<unknown[]>(body, 'items').length}`;
}

it(
  'a worker that is told to stop at any moment ends with 0, and the work goes on elsewhere',
  async () => {
    const moments: readonly FailpointName[] = [
      'build: handed over, message not acknowledged',
      'build: chunks inserted, not committed',
      'build: batch embedded',
      'build: vectors inserted, not committed',
      'build: task ended, not committed',
    ];
    for (let times = 0; times < stops; times += 1) {
      const moment = random.pick(moments);
      for (const worker of workers) worker.arm(moment, 'hold');
      const { documentId } = await accepted();
      const stopped = await firstReached(workers, moment);
      stopped.service.signal('SIGTERM');
      await until(() => stopped.service.text.includes('is stopping'), 'the signal was heard');
      stopped.release(moment);
      expect([moment, await stopped.service.ended()]).toEqual([moment, 0]);
      workers = [...workers.filter((worker) => worker !== stopped), await startWorker()];
      await endsAsUndisturbed(documentId);
    }
  },
  60_000 + stops * 45_000,
);

it('a worker that is told to stop a second time ends at once, and not with 0', async () => {
  for (const worker of workers) worker.arm('build: batch embedded', 'hold');
  const { documentId } = await accepted();
  const stopped = await firstReached(workers, 'build: batch embedded');
  stopped.service.signal('SIGTERM');
  await until(() => stopped.service.text.includes('is stopping'), 'the signal was heard');
  // A signal that comes again at once is the same one, handed on by a parent.
  const heardAt = performance.now();
  await until(() => performance.now() - heardAt > 1_100, 'a second was over');
  stopped.service.signal('SIGTERM');
  expect(await stopped.service.ended()).toBe(130);
  workers = [...workers.filter((worker) => worker !== stopped), await startWorker()];
  await endsAsUndisturbed(documentId);
}, 120_000);
