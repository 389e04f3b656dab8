import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultTenant, type Id } from '../../domain/ids/id.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { TaskType } from '../../domain/task/task-type.js';
import { taskMessage } from '../../messaging/task-message.js';
import { lanesOf, groupOf } from '../../messaging/topic.js';
import { ApiClient, at, type Answer } from '../api-client.js';
import { copyConfirmed } from '../copied-documents.js';
import type { FailpointName } from './failpoints.js';
import { FaultBench } from './fault-bench.js';
import { faultText } from './fault-texts.js';
import type { FaultyProcess } from './faulty-process.js';

const flood = 5_000;
const sentAtOnce = 500;
const asked = 4;
/** Nobody sends the flood a second time. */
const env = { INDEX_SLOTS: '1', PARSE_SLOTS: '1', RESEND_AFTER_MS: '600000' };

let bench: FaultBench;
let api: ApiClient;
let workers: FaultyProcess[];

beforeAll(async () => {
  bench = await FaultBench.open();
  const [front, ...back] = await Promise.all([
    bench.start('api,relay', env),
    bench.start('worker', env),
    bench.start('worker', env),
  ]);
  api = new ApiClient(front.service.baseUrl);
  workers = back;
}, 240_000);

afterAll(() => bench.close(), 60_000);

describe.each([
  {
    work: 'builds',
    firstId: 10_000,
    bulk: TaskType.RebuildIndex,
    inHand: 'build: text cut' as FailpointName,
    /** What somebody asks for, whose task is like those of the flood. */
    prepare: async (n: number): Promise<() => Promise<Answer>> => {
      const { documentId, planId } = await api.confirmed(`asked-${n}.md`, faultText(n));
      return () => api.build(documentId, planId);
    },
  },
  {
    work: 'parses',
    firstId: 20_000,
    bulk: TaskType.ParseDocument,
    inHand: 'parse: text stored' as FailpointName,
    prepare: (n: number) => Promise.resolve(() => api.upload(`brought-${n}.md`, faultText(n + 100))),
  },
])('behind five thousand $work in bulk', ({ work, firstId, bulk, inHand, prepare }) => {
  it('what people ask for is next, as soon as a worker ends the one that it is at', async () => {
    const asks = [];
    for (let n = 1; n <= asked; n += 1) asks.push(await prepare(n));
    const modelId = taskOf(await (await prepare(asked + 1))());
    await api.ended(modelId);
    for (const worker of workers) worker.arm(inHand, 'hold');
    await pour(modelId, bulk, firstId);
    await Promise.all(workers.map((worker) => worker.reached(inHand)));
    const taskIds = [];
    for (const ask of asks) taskIds.push(taskOf(await ask()));
    for (const worker of workers) worker.release(inHand);
    for (const taskId of taskIds) expect(at(await api.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
    expect(await claimedMeanwhile(taskIds)).toBe(0);
    expect(await waiting(bulk)).toBeGreaterThan(flood / 2);
    await bench.database.query(
      `update task set task_status = 7, finished_at = now(), next_retry_at = null where id between $1 and $2 and task_status in (1, 5)`,
      [firstId, firstId + flood],
    );
  }, 120_000);

  /** Copies a task that is over, and its document, and has the broker hold a message of each copy. */
  async function pour(modelId: Id, taskType: TaskType, first: number): Promise<void> {
    const [model] = await bench.database.query<{ documentId: Id; planId: Id; sourceKey: string }>(
      `select d.id as "documentId", d.current_plan_id as "planId", d.source_key as "sourceKey"
         from task t join document d on d.id = t.document_id where t.id = $1`,
      [modelId],
    );
    if (!model) throw new Error(`no task ${modelId}`);
    const ids = await copyConfirmed(bench.database, model, { copies: flood, firstId: first });
    await bench.database.query(
      `update document set source_key = $1, active_version_id = null, parse_status = case when $4 then 1 else parse_status end
        where id between $2 and $3`,
      [model.sourceKey, first, first + flood, taskType === TaskType.ParseDocument],
    );
    await bench.database.query(
      `insert into task (id, tenant_id, document_id, knowledge_base_id, plan_id, task_type, priority, task_status,
                         current_stage, trigger_source, strategy_snapshot, build_spec, stages, max_retry_count)
       select d.id, d.tenant_id, d.id, d.knowledge_base_id, case when t.plan_id is not null then d.current_plan_id end, $2,
              ${TaskPriority.Bulk}, 1, case t.task_type when 1 then 2 else 4 end, 2, t.strategy_snapshot, t.build_spec,
              (select jsonb_agg(s || '{"status": 1, "done": 0, "startedAt": null, "finishedAt": null}')
                 from jsonb_array_elements(t.stages) s), 3
         from document d, task t where t.id = $1 and d.id between $3 and $4`,
      [modelId, taskType, first, first + flood],
    );
    const messages = ids.map((id) =>
      taskMessage({ id, tenantId: defaultTenant, documentId: id, taskType, priority: TaskPriority.Bulk, trace: null }),
    );
    for (let from = 0; from < flood; from += sentAtOnce) {
      await bench.broker.publisher.publish(messages.slice(from, from + sentAtOnce), { deadlineMs: 20_000 });
    }
    expect(await bench.broker.stored(lanesOf(groupOf(taskType))[1])).toBe(flood);
  }

  /** How many tasks of the flood were taken between the first of these being accepted and the last of them being taken. */
  async function claimedMeanwhile(taskIds: readonly Id[]): Promise<number> {
    const [row] = await bench.database.query<{ claims: number }>(
      `select count(*)::int as claims from task_log l join task t on t.id = l.task_id
        where l.event = 'CLAIMED' and t.id between $2 and $3
          and l.id > (select min(id) from task_log where task_id = any($1) and event = 'START')
          and l.id < (select max(id) from task_log where task_id = any($1) and event = 'CLAIMED')`,
      [taskIds, firstId, firstId + flood],
    );
    return row?.claims ?? -1;
  }

  async function waiting(taskType: TaskType): Promise<number> {
    const [row] = await bench.database.query<{ count: number }>(
      'select count(*)::int as count from task where task_status = 1 and task_type = $1 and id between $2 and $3',
      [taskType, firstId, firstId + flood],
    );
    return row?.count ?? -1;
  }

  function taskOf({ status, body }: Answer): Id {
    expect([work, status]).toEqual([work, 202]);
    return at(body, 'task' in body ? 'task.taskId' : 'taskId');
  }
});
