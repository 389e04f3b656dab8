import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../domain/errors.js';
import { Stage } from '../domain/task/stage.js';
import { TaskType } from '../domain/task/task-type.js';
import { silentLogger } from '../logging/logger.js';
import { MessageRefused } from '../messaging/message-publisher.js';
import { ConsumerGroup } from '../messaging/topic.js';
import type { QueuePage } from '../progress/read-workload.js';
import { buildMessage } from '../testing/contract/messaging-bench.js';
import { ScriptedConsumer } from '../testing/scripted-consumer.js';
import { ScriptedPublisher } from '../testing/scripted-publisher.js';
import type { TaskRun } from '../worker/task-run.js';
import { OverLimit, type WorkResult } from '../worker/work-result.js';
import { ConsumeMetrics } from './consume-metrics.js';
import { MeteredPublisher } from './metered-publisher.js';
import { Metrics } from './metrics.js';
import { RequestMetrics } from './request-metrics.js';
import { TaskMetrics } from './task-metrics.js';
import { WorkloadMetrics } from './workload-metrics.js';

let metrics: Metrics;
beforeEach(() => {
  metrics = new Metrics();
});

/** Lines of one metric with their values, without the comments. */
async function lines(name: string): Promise<string[]> {
  return (await metrics.read()).split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));
}

describe('a metered publisher', () => {
  const publish = (publisher: MeteredPublisher): Promise<unknown> =>
    publisher.publish([buildMessage('1'), buildMessage('2')], { deadlineMs: 100 }).catch((error: unknown) => error);

  it('counts messages by how their send ended, and hands its error on', async () => {
    const inner = new ScriptedPublisher();
    const publisher = new MeteredPublisher(inner, metrics);
    await publish(publisher);
    const errors = [new AppError('BROKER_UNAVAILABLE', 'away'), new MessageRefused('too large'), new TypeError('bug')];
    for (const error of errors) {
      inner.onPublish = () => Promise.reject(error);
      expect(await publish(publisher)).toBe(error);
    }
    const counts = await lines('indexwright_messages_published_total');
    expect(counts.sort()).toEqual(
      ['failed', 'refused', 'stored', 'unavailable'].map(
        (outcome) => `indexwright_messages_published_total{topic="document-index-build",outcome="${outcome}"} 2`,
      ),
    );
    expect(await lines('indexwright_publish_duration_seconds_count')).toHaveLength(4);
  });
});

describe('metered consumers', () => {
  it('count verdicts by broker and group, and say whether each is up', async () => {
    const inner = new ScriptedConsumer();
    const consumers = { create: () => inner, lag: () => Promise.resolve(new Map()) };
    const consumer = new ConsumeMetrics(metrics).metered('kafka', consumers).create(ConsumerGroup.Index);
    const handlers = [
      () => Promise.resolve({ type: 'done' } as const),
      () => Promise.resolve({ type: 'later', reason: 'no slot' } as const),
      () => Promise.reject(new Error('bug')),
    ];
    let turn = 0;
    await consumer.start(() => handlers[turn++]?.() ?? Promise.reject(new Error('no more')));
    const message = { topic: 'document-index-build', key: '1', value: null, headers: {} };
    const given = await Promise.allSettled([1, 2, 3].map(() => inner.deliver(message)));
    expect(given.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((await lines('indexwright_messages_consumed_total')).sort()).toEqual(
      ['done', 'failed', 'later'].map(
        (verdict) => `indexwright_messages_consumed_total{broker="kafka",group="index",verdict="${verdict}"} 1`,
      ),
    );
    expect(await lines('indexwright_consumer_up')).toEqual(['indexwright_consumer_up{broker="kafka",group="index"} 1']);
    await consumer.stop();
    expect(await lines('indexwright_consumer_up')).toEqual(['indexwright_consumer_up{broker="kafka",group="index"} 0']);
  });
});

describe('metered tasks', () => {
  const run = { task: { taskType: TaskType.BuildIndex } } as TaskRun;

  it('time each stage, also one that breaks off', async () => {
    const [done, broken] = new TaskMetrics(metrics).timed([
      { stage: Stage.ChunkExecute, run: () => Promise.resolve() },
      { stage: Stage.Vectorize, run: () => Promise.reject(new Error('no model')) },
    ]);
    await done?.run(run);
    await expect(broken?.run(run)).rejects.toThrow('no model');
    expect(await lines('indexwright_stage_duration_seconds_count')).toEqual([
      'indexwright_stage_duration_seconds_count{stage="CHUNK_EXECUTE",outcome="done"} 1',
      'indexwright_stage_duration_seconds_count{stage="VECTORIZE",outcome="broken-off"} 1',
    ]);
  });

  it('count attempts once they are stored, with the code of a failure', async () => {
    let storing: () => Promise<void> = () => Promise.resolve();
    const reporter = new TaskMetrics(metrics).counted({ report: () => storing() });
    const results: WorkResult[] = [
      { type: 'completed', run, close: () => Promise.resolve() },
      { type: 'failed', run, error: new AppError('EMBEDDING_FAILED', 'no vector') },
      { type: 'overdue', run, error: new OverLimit('too long') },
    ];
    for (const result of results) await reporter.report(result);
    storing = () => Promise.reject(new AppError('DATABASE_UNAVAILABLE', 'away'));
    await expect(reporter.report({ type: 'released', run })).rejects.toThrow('away');
    expect(await lines('indexwright_task_attempts_total')).toEqual([
      'indexwright_task_attempts_total{type="BUILD_INDEX",outcome="completed",code=""} 1',
      'indexwright_task_attempts_total{type="BUILD_INDEX",outcome="failed",code="EMBEDDING_FAILED"} 1',
      'indexwright_task_attempts_total{type="BUILD_INDEX",outcome="overdue",code="TIME_LIMIT"} 1',
    ]);
  });
});

describe('metered requests', () => {
  it('make one series for each route, method and status, whatever clients send', async () => {
    const requests = new RequestMetrics(metrics);
    requests.observe('GET', '/tasks/:taskId', 200, 0.01);
    requests.observe('GET', '/tasks/:taskId', 200, 0.02);
    for (const method of ['PROPFIND', 'MKCOL']) requests.observe(method, 'none', undefined, 0.01);
    expect(await lines('indexwright_http_request_duration_seconds_count')).toEqual([
      'indexwright_http_request_duration_seconds_count{method="GET",route="/tasks/:taskId",status="200"} 2',
      'indexwright_http_request_duration_seconds_count{method="other",route="none",status="none"} 2',
    ]);
  });
});

describe('the workload', () => {
  const page: QueuePage = {
    items: [
      {
        taskType: TaskType.BuildIndex,
        waiting: 3,
        running: 1,
        retrying: 2,
        oldestWaitingMs: 4_500,
        workers: 2,
        lag: 5,
        lagReason: null,
      },
      {
        taskType: TaskType.DeleteIndex,
        waiting: 0,
        running: 0,
        retrying: 0,
        oldestWaitingMs: null,
        workers: 0,
        lag: null,
        lagReason: 'away',
      },
    ],
    next: null,
    broker: 'kafka',
    drained: [
      { broker: 'redis', lags: new Map([[TaskType.BuildIndex, 9]]), lagReason: null },
      { broker: 'rabbitmq', lags: null, lagReason: 'away' },
    ],
    outbox: { pending: 7, failed: 1, oldestPendingMs: 250 },
  };

  it('is read from the database once for all gauges', async () => {
    let looks = 0;
    const listQueues = (): Promise<QueuePage> => Promise.resolve((looks += 1)).then(() => page);
    new WorkloadMetrics(metrics, { listQueues }, silentLogger);
    const text = await metrics.read();
    for (const line of [
      'indexwright_workload_known 1',
      'indexwright_tasks{type="BUILD_INDEX",status="waiting"} 3',
      'indexwright_tasks{type="BUILD_INDEX",status="running"} 1',
      'indexwright_tasks{type="BUILD_INDEX",status="retrying"} 2',
      'indexwright_oldest_waiting_task_age_seconds{type="BUILD_INDEX"} 4.5',
      'indexwright_oldest_waiting_task_age_seconds{type="DELETE_INDEX"} 0',
      'indexwright_workers{type="BUILD_INDEX"} 2',
      'indexwright_consumer_lag_messages{broker="kafka",type="BUILD_INDEX"} 5',
      'indexwright_consumer_lag_messages{broker="kafka",type="DELETE_INDEX"} Nan',
      'indexwright_consumer_lag_messages{broker="redis",type="BUILD_INDEX"} 9',
      'indexwright_consumer_lag_messages{broker="rabbitmq",type="BUILD_INDEX"} Nan',
      'indexwright_outbox_messages{status="pending"} 7',
      'indexwright_outbox_messages{status="failed"} 1',
      'indexwright_outbox_oldest_age_seconds 0.25',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    await metrics.read();
    expect(looks).toBe(1);
  });

  it('is not known, rather than old, while the database is away', async () => {
    const listQueues = (): Promise<QueuePage> => Promise.reject(new AppError('DATABASE_UNAVAILABLE', 'away'));
    new WorkloadMetrics(metrics, { listQueues }, silentLogger);
    expect(await lines('indexwright_workload_known')).toEqual(['indexwright_workload_known 0']);
    expect(await lines('indexwright_tasks')).toEqual([]);
    expect(await lines('indexwright_outbox_oldest_age_seconds')).toEqual(['indexwright_outbox_oldest_age_seconds Nan']);
  });
});
