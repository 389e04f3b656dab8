import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoriesOn, type Repositories } from '../../composition/repositories.js';
import type { CarriedTrace } from '../../domain/carried-trace.js';
import { systemClock } from '../../domain/clock.js';
import { AppError } from '../../domain/errors.js';
import type { Id } from '../../domain/ids/id.js';
import { Stage } from '../../domain/task/stage.js';
import { TaskType } from '../../domain/task/task-type.js';
import { silentLogger } from '../../logging/logger.js';
import { encodeValue } from '../../messaging/message-codec.js';
import type { OutgoingMessage } from '../../messaging/message-publisher.js';
import { Topic } from '../../messaging/topic.js';
import { ResendTasks } from '../../upkeep/resend-tasks.js';
import { ClaimTask } from '../../worker/claim-task.js';
import { LeaseKeeper } from '../../worker/lease-keeper.js';
import { TaskIntake } from '../../worker/task-intake.js';
import { TaskReporter } from '../../worker/task-reporter.js';
import { TaskWalker } from '../../worker/task-walker.js';
import { Worker } from '../../worker/worker.js';
import { BatchBench } from '../batch-bench.js';
import { plantDocument, testIds } from '../factories.js';
import { startHttpApi, type HttpApi } from '../http-api.js';
import { HttpTestServer } from '../http-test-server.js';
import { listeningLogger, type LogLine } from '../listening-logger.js';
import { ScriptedConsumer } from '../scripted-consumer.js';

const callers = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${callers.traceId}-${callers.spanId}-01`;
const tracestate = 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7';

let api: HttpApi;
let repositories: Repositories;

beforeAll(async () => {
  api = await startHttpApi();
  repositories = repositoriesOn(api.test.database, testIds);
});
afterAll(() => api.stop());

async function build(headers: Record<string, string>): Promise<Id> {
  const { documentId, planId } = await plantDocument(api.test.database);
  const answer = await api.server.post('/index/build', JSON.stringify({ documentId, planId }), headers);
  expect(answer.status).toBe(202);
  return String(answer.body.taskId);
}

/** The last one that was sent of it. */
function messageOf(taskId: Id): OutgoingMessage {
  const message = api.publisher.sent.filter(({ value }) => value.taskId === taskId).at(-1);
  if (!message) throw new Error(`nothing was sent of task ${taskId}`);
  return message;
}

const sentTrace = (taskId: Id) => hopIn(messageOf(taskId).headers);
const rowTrace = async (table: 'task' | 'batch', id: Id) => {
  const [row] = await api.test.database.query<{ trace: CarriedTrace }>(`select trace from ${table} where id = $1`, [
    id,
  ]);
  return hopIn(row?.trace ?? {});
};

/** The ids in what is carried, by name. */
function hopIn({ traceparent: parent = '', tracestate: state }: Partial<CarriedTrace>) {
  const [version, traceId, spanId, flags] = parent.split('-');
  return { version, traceId, spanId, flags, state };
}

const ofCaller = { version: '00', traceId: callers.traceId, flags: '01', state: tracestate };

describe('a call with a trace', () => {
  it('gives it to the message and to the task of the build, under an id of its own', async () => {
    const taskId = await build({ traceparent, tracestate });
    const sent = sentTrace(taskId);
    expect(sent).toMatchObject(ofCaller);
    expect(sent.spanId).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
    expect(sent.spanId).not.toBe(callers.spanId);
    expect(await rowTrace('task', taskId)).toEqual(sent);
  });

  it.each([
    ['none', {}],
    ['one that is not valid', { traceparent: traceparent.replace('00-', 'ff-'), tracestate }],
    ['a list of another without it', { tracestate }],
  ])('gets a new one for %s', async (_, headers) => {
    const sent = sentTrace(await build(headers));
    expect(sent).toMatchObject({ version: '00', traceId: expect.stringMatching(/^[0-9a-f]{32}$/), flags: '00' });
    expect(sent.traceId).not.toBe(callers.traceId);
    expect(sent.state).toBeUndefined();
  });

  it('gives it to what the outbox sends for it', async () => {
    const { documentId } = await plantDocument(api.test.database);
    await api.server.call('DELETE', `/documents/${documentId}`, { headers: { traceparent, tracestate } });
    const [row] = await api.test.database.query<{ headers: Partial<CarriedTrace> }>(
      'select headers from outbox where aggregate_id = $1',
      [documentId],
    );
    expect(hopIn(row?.headers ?? {})).toMatchObject(ofCaller);
  });

  it('gives it to every task of a batch', async () => {
    const [first, second] = [await plantDocument(api.test.database), await plantDocument(api.test.database)];
    const body = JSON.stringify({ documentIds: [first.documentId, second.documentId] });
    const { batchId } = (await api.server.post('/index/rebuild', body, { traceparent, tracestate })).body;
    expect(await rowTrace('batch', String(batchId))).toMatchObject(ofCaller);
    await new BatchBench(api.test.database).filler().runOnce();
    const tasks = await api.test.database.query<{ id: Id; headers: Partial<CarriedTrace> }>(
      `select t.id, o.headers from task t join outbox o on o.headers ->> 'x-task-id' = t.id::text where t.batch_id = $1`,
      [batchId],
    );
    expect(tasks.map(({ headers }) => hopIn(headers))).toEqual([
      expect.objectContaining(ofCaller),
      expect.objectContaining(ofCaller),
    ]);
  });

  it('takes a failed task over when it asks for another try', async () => {
    const taskId = await build({});
    await api.test.database.query('update task set task_status = 4, finished_at = now() where id = $1', [taskId]);
    expect((await api.server.post(`/tasks/${taskId}/retry`, '{}', { traceparent, tracestate })).status).toBe(202);
    expect(sentTrace(taskId)).toMatchObject(ofCaller);
    expect(await rowTrace('task', taskId)).toEqual(sentTrace(taskId));
  });
});

describe('a task that carries a trace', () => {
  it('is sent again in it, by a hop of its own', async () => {
    const taskId = await build({ traceparent, tracestate });
    const first = sentTrace(taskId);
    await api.test.database.query(`update task set sent_at = 'epoch' where id = $1`, [taskId]);
    const options = { intervalMs: 1_000, resendAfterMs: 1_000, sendDeadlineMs: 1_000 };
    await new ResendTasks(repositories.upkeep, api.publisher, silentLogger, options).runOnce();
    const again = sentTrace(taskId);
    expect(again).toMatchObject(ofCaller);
    expect(again.spanId).not.toBe(first.spanId);
    expect(await rowTrace('task', taskId)).toEqual(first);
  });

  it('is worked on in it, as the log of its worker and the letter about its end tell', async () => {
    const taskId = await build({ traceparent, tracestate });
    const lines: LogLine[] = [];
    const { worker, intake } = workerOf(lines);
    await api.test.database.query('update task set max_retry_count = 0 where id = $1', [taskId]);
    const { value, headers, key } = messageOf(taskId);
    const incoming = { topic: Topic.BuildIndex, key, value: Buffer.from(encodeValue(value)), headers };
    expect(await intake.take(incoming)).toEqual({ type: 'done' });
    await intake.drained();
    expect(await intake.take({ ...incoming, value: null })).toMatchObject({ type: 'dead' });
    await worker.stop();
    const traces = lines.map(({ message, fields }) => [message, fields.traceId, fields.parentSpanId]);
    const { spanId } = sentTrace(taskId);
    // The task's row and the message were made by one hop; whoever worked, and whoever read, came after it.
    expect(traces).toEqual([
      ['task failed', callers.traceId, spanId],
      ['message put aside', callers.traceId, spanId],
    ]);
    expect(lines[0]?.fields.spanId).not.toBe(lines[1]?.fields.spanId);
    const [letter] = await api.test.database.query<{ headers: Partial<CarriedTrace> }>(
      `select headers from outbox where headers ->> 'x-task-id' = $1`,
      [taskId],
    );
    expect(letter).toBeDefined();
    expect(hopIn(letter?.headers ?? {})).toMatchObject({ ...ofCaller, spanId: lines[0]?.fields.spanId });
  });

  it('is worked on in it also where no message led to it', async () => {
    const taskId = await build({ traceparent, tracestate });
    const lines: LogLine[] = [];
    const { intake } = workerOf(lines);
    expect(await intake.takeFound(taskId)).toBe(true);
    await intake.drained();
    const { spanId: parentSpanId } = sentTrace(taskId);
    expect(lines[0]?.fields).toMatchObject({ taskId, traceId: callers.traceId, parentSpanId });
  });

  it('begins one where an older process made it without', async () => {
    const taskId = await build({});
    await api.test.database.query('update task set trace = null where id = $1', [taskId]);
    const outcome = await repositories.leases.claim(taskId, 'w', 60_000);
    const lines: LogLine[] = [];
    if (outcome.type === 'claimed') await workerOf(lines).worker.execute(outcome.task);
    expect(lines[0]?.fields).toMatchObject({ taskId, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });
});

it('lets the log of a request name the trace of its caller', async () => {
  const lines: LogLine[] = [];
  const server = await HttpTestServer.start([], { log: listeningLogger(lines) });
  await server.get('/nowhere', { traceparent });
  await server.stop();
  const [line] = lines.filter(({ message }) => message === 'request');
  expect(line?.fields).toMatchObject({ traceId: callers.traceId, parentSpanId: callers.spanId, status: 404 });
  expect(line?.fields.spanId).toMatch(/^[0-9a-f]{16}$/);
});

/** A worker whose builds fail for good after all their tries. */
function workerOf(lines: LogLine[]): { worker: Worker; intake: TaskIntake } {
  const logger = listeningLogger(lines);
  const limits = {
    stageMs: 60_000,
    parseMsPerMillion: 0,
    cutMsPerMillion: 0,
    embedMsPerMillion: 0,
    attemptMs: 60_000,
    heedMs: 1,
    readingMs: 0,
  };
  const parts = { database: api.test.database, ...repositories, clock: systemClock };
  const run = (): Promise<never> => Promise.reject(new AppError('EMBEDDING_FAILED', 'It did not answer.'));
  const stages = [Stage.ChunkExecute, Stage.Vectorize, Stage.IndexWrite].map((stage) => ({ stage, run }));
  const walker = new TaskWalker(new Map([[TaskType.BuildIndex, stages]]), parts, limits);
  const policy = { retryDelayMs: 1, retryDelayMaxMs: 1 };
  const reporter = new TaskReporter({ ...repositories, policy, random: () => 0, logger });
  const keeper = new LeaseKeeper(repositories.leases, 60_000, logger);
  const worker = new Worker({ keeper, walker, reporter, logger }, 1_000);
  const intake = new TaskIntake(
    {
      consumer: new ScriptedConsumer(),
      claims: new ClaimTask(repositories.leases, { workerId: 'w', leaseMs: 60_000 }),
      execute: (task) => worker.execute(task),
      urgent: () => Promise.resolve([]),
      letters: repositories.letters,
      logger,
    },
    1,
  );
  return { worker, intake };
}
