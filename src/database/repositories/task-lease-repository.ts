import type { CarriedTrace } from '../../domain/carried-trace.js';
import type { BuildSpec } from '../../domain/build-spec.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { silentWorker, type StageProgress, type TaskFailure } from '../../domain/task/progress.js';
import type { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import { sourcesOf } from '../../domain/coded-value.js';
import { TaskStatus, taskStatusMoves } from '../../domain/task/task-status.js';
import { taskPriorities, TaskPriority } from '../../domain/task/task-priority.js';
import { Actor, type TaskType } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';
import { prioritySql } from '../priority-sql.js';

/** A task in the hands of a worker. `attempt` is the fencing token of everything it writes. */
export interface ClaimedTask {
  readonly id: Id;
  readonly tenantId: TenantId;
  /** Its document; the base's id where a whole base is deleted. */
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
  readonly planId: Id | null;
  readonly taskType: TaskType;
  readonly currentStage: Stage;
  readonly buildSpec: BuildSpec | null;
  readonly stages: StageProgress[];
  /** Null where an older process made the task. */
  readonly trace: CarriedTrace | null;
  readonly attempt: number;
  readonly retryCount: number;
  readonly maxRetryCount: number;
  /** Of the document's source; 0 where a base is deleted. */
  readonly sourceBytes: number;
  /** Code points of the text that is built from; 0 where nothing is built. */
  readonly textChars: number;
}

/**
 * Why a message led to no claim. `unknown`: no such task. `failed`: it ended that way, and a person may have it tried again.
 * `unseen`: it is free, and the claim, if there was one, had looked before that.
 */
export type ClaimRefusal = 'unknown' | 'unseen' | 'failed' | 'finished' | 'held' | 'not-due';

export type ClaimOutcome =
  | { readonly type: 'claimed'; readonly task: ClaimedTask }
  | { readonly type: 'refused'; readonly reason: ClaimRefusal };

export interface TaskProgress {
  readonly currentStage: Stage;
  readonly stages: readonly StageProgress[];
  /** From now, for a stage that begins; the limit that was set before stands without it. */
  readonly limitMs?: number;
}

/** Where a held task goes next, and what its row then says. */
export interface TaskEnding {
  readonly status: TaskStatus;
  readonly stages: readonly StageProgress[];
  readonly error: TaskFailure | null;
  /** Delay until the next attempt; for RETRYING only. */
  readonly retryInMs?: number;
  readonly countsAsRetry: boolean;
}

/** Why the attempt before was lost, as its row and its line tell it; the stage is added where there is one. */
const lostWorker = `jsonb_build_object('code', '${silentWorker.code}', 'message', '${silentWorker.message}',
  'attempt', seen_attempt, 'retryable', true)`;

const ofLane = `t.task_type = kind.type and ${prioritySql('t')} = lane.priority`;

const claimedColumns = `id, tenant_id as "tenantId", coalesce(document_id, knowledge_base_id) as "documentId",
  knowledge_base_id as "knowledgeBaseId",
  plan_id as "planId", task_type as "taskType", current_stage as "currentStage", build_spec as "buildSpec", stages, trace,
  attempt, retry_count as "retryCount", max_retry_count as "maxRetryCount",
  coalesce((select size_bytes from document d where d.id = task.document_id), 0)::float8 as "sourceBytes",
  coalesce((select char_length from document_text x where x.document_id = task.document_id
             and x.revision = (task.build_spec ->> 'textRevision')::int), 0) as "textChars"`;

/** Moves tasks in and out of workers' hands. All times are the database's. */
export class TaskLeaseRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes a task that is new, due for a retry, or left by a worker whose lease is over. One statement: of any number of
   * claims of one task at most one succeeds.
   */
  async claim(taskId: Id, workerId: string, leaseMs: number): Promise<ClaimOutcome> {
    const [task] = await this.database.query<ClaimedTask>(
      `with seen as (
         select id as seen_id, task_status as seen_status, attempt as seen_attempt from task
          where id = $1
            and (task_status = any($5)
                 and (next_retry_at is null or next_retry_at <= clock_timestamp())
                 or task_status = $4 and lease_until < clock_timestamp() and retry_count < max_retry_count)
            for update
       ), taken as (
         update task
            set task_status = $4, attempt = attempt + 1, worker_id = $2,
                lease_until = clock_timestamp() + $3 * interval '1 ms',
                retry_count = retry_count + (seen_status = $4)::int,
                error = case when seen_status = $4 then ${lostWorker} || jsonb_build_object('stage', current_stage) else error end,
                started_at = coalesce(started_at, clock_timestamp()), next_retry_at = null,
                progressed_at = clock_timestamp(), deadline_at = null
           from seen where id = seen_id
         returning ${claimedColumns}
       ), logged as (
         insert into task_log (tenant_id, task_id, stage, event, actor, metadata)
         select "tenantId", id, "currentStage", event, $7, metadata from taken join seen on seen_id = id, lateral (
           select 1, '${TaskEvent.LeaseLost}', ${lostWorker} where seen_status = $4
           union all
           select 2, $6, jsonb_build_object('attempt', attempt, 'worker', $2::text)
         ) as lines (place, event, metadata) order by place
       )
       select * from taken`,
      [
        taskId,
        workerId,
        leaseMs,
        TaskStatus.Running,
        sourcesOf(taskStatusMoves, TaskStatus.Running),
        TaskEvent.Claimed,
        Actor.System,
      ],
      'task-claim',
    );
    if (!task) return { type: 'refused', reason: await this.refusalOf(taskId) };
    this.database.taskChanged({ tenantId: task.tenantId, taskId });
    return { type: 'claimed', task };
  }

  /** Why a claim would find nothing to take now; `unseen` if it would. */
  async refusalOf(taskId: Id): Promise<ClaimRefusal> {
    const [row] = await this.database.query<{ status: TaskStatus; due: boolean; left: boolean }>(
      `select task_status as status, coalesce(next_retry_at, clock_timestamp()) <= clock_timestamp() as due,
              coalesce(lease_until < clock_timestamp() and retry_count < max_retry_count, false) as left
         from task where id = $1`,
      [taskId],
      'task-refusal',
    );
    if (!row) return 'unknown';
    switch (row.status) {
      case TaskStatus.New:
      case TaskStatus.Retrying:
        return row.due ? 'unseen' : 'not-due';
      case TaskStatus.Running:
        return row.left ? 'unseen' : 'held';
      case TaskStatus.Failed:
      case TaskStatus.Timeout:
        return 'failed';
      default:
        return 'finished';
    }
  }

  /**
   * Ids of tasks that a claim would get although no message has led to one: new ones that were sent more than `unclaimedMs`
   * ago, retries that are due, and what silent workers hold. The urgent ones first, then the oldest; none in bulk while a
   * new interactive one of the types waits, however short.
   */
  async claimable(
    types: readonly TaskType[],
    unclaimedMs: number,
    limit: number,
    priorities: readonly TaskPriority[] = taskPriorities,
  ): Promise<Id[]> {
    const rows = await this.database.query<{ id: Id }>(
      `select found.id from unnest($1::smallint[]) as kind (type), unnest($4::int[]) as lane (priority), lateral (
         (select id from task t where task_status = ${TaskStatus.New} and ${ofLane}
             and sent_at < clock_timestamp() - $2 * interval '1 ms' order by id limit $3)
         union all
         (select id from task t where task_status = ${TaskStatus.Retrying} and ${ofLane}
             and next_retry_at <= clock_timestamp() order by id limit $3)
         union all
         (select id from task t where task_status = ${TaskStatus.Running} and ${ofLane}
             and lease_until < clock_timestamp() and retry_count < max_retry_count order by id limit $3)
       ) as found
        where lane.priority = ${TaskPriority.Interactive} or not exists (
          select 1 from task t where t.task_status = ${TaskStatus.New} and t.task_type = any($1)
             and ${prioritySql('t')} = ${TaskPriority.Interactive})
        order by lane.priority, found.id limit $3`,
      [types, unclaimedMs, limit, priorities],
      'task-claimable',
    );
    return rows.map(({ id }) => id);
  }

  /** Extends the leases of held tasks; gives the ids of those that are still held. */
  async extend(held: readonly { id: Id; attempt: number }[], leaseMs: number): Promise<Id[]> {
    const rows = await this.database.query<{ id: Id }>(
      `update task set lease_until = clock_timestamp() + $3 * interval '1 ms'
         from unnest($1::bigint[], $2::int[]) as mine (id, attempt)
        where task.id = mine.id and task.attempt = mine.attempt and task.task_status = $4
       returning task.id`,
      [held.map(({ id }) => id), held.map(({ attempt }) => attempt), leaseMs, TaskStatus.Running],
      'task-extend',
    );
    return rows.map(({ id }) => id);
  }

  /** Locks the row of a held task; false when this attempt holds it no more. */
  async fence(transaction: TransactionContext, task: Pick<ClaimedTask, 'id' | 'attempt'>): Promise<boolean> {
    const rows = await transaction.query(
      'select 1 from task where id = $1 and attempt = $2 and task_status = $3 for update',
      [task.id, task.attempt, TaskStatus.Running],
      'task-fence',
    );
    return rows.length === 1;
  }

  /** Writes how far a fenced task is. */
  async recordProgress(transaction: TransactionContext, taskId: Id, progress: TaskProgress): Promise<void> {
    await transaction.query(
      `update task
          set current_stage = $2, stages = $3, progressed_at = clock_timestamp(),
              deadline_at = coalesce(clock_timestamp() + $4::float8 * interval '1 ms', deadline_at)
        where id = $1`,
      [taskId, progress.currentStage, JSON.stringify(progress.stages), progress.limitMs ?? null],
      'task-progress',
    );
  }

  /** Takes a fenced task out of its worker's hands. */
  async release(
    transaction: TransactionContext,
    taskId: Id,
    ending: TaskEnding,
  ): Promise<{ nextRetryAt: Date | null }> {
    const [row] = await transaction.query<{ nextRetryAt: Date | null }>(
      `update task
          set task_status = $2::smallint, stages = $3, error = $4, lease_until = null, worker_id = null,
              retry_count = retry_count + $5,
              next_retry_at = case when $2::smallint = ${TaskStatus.Retrying}
                                   then clock_timestamp() + $6 * interval '1 ms' end,
              finished_at = case when $2::smallint = ${TaskStatus.Retrying} then null else clock_timestamp() end
        where id = $1 and task_status = any($7)
       returning next_retry_at as "nextRetryAt"`,
      [
        taskId,
        ending.status,
        JSON.stringify(ending.stages),
        ending.error ? JSON.stringify(ending.error) : null,
        ending.countsAsRetry ? 1 : 0,
        ending.retryInMs ?? 0,
        sourcesOf(taskStatusMoves, ending.status),
      ],
    );
    if (!row) throw new Error(`task ${taskId} was fenced but could not move to ${ending.status}`);
    return row;
  }
}
