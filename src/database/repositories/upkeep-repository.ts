import type { CarriedTrace } from '../../domain/carried-trace.js';
import { ExecuteStatus } from '../../domain/plan/step-status.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { TaskFailure } from '../../domain/task/progress.js';
import type { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import type { TaskPriority } from '../../domain/task/task-priority.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { Actor, type TaskType } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';
import { prioritySql } from '../priority-sql.js';
import { stagesEndedIn } from '../stages-sql.js';

/** A task whose message is to be sent again. */
export interface UnclaimedTask {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly planId: Id | null;
  readonly taskType: TaskType;
  readonly priority: TaskPriority;
  readonly retryCount: number;
  /** Null where an older process made the task. */
  readonly trace: CarriedTrace | null;
}

/** Where to look for a task that is to be mended. */
export interface FoundTask {
  readonly taskId: Id;
  /** Its document; the base's id where a whole base is deleted. */
  readonly documentId: Id;
}

/** A task whose worker was silent for longer than its lease. */
export interface ExpiredTask {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly planId: Id | null;
  readonly taskType: TaskType;
  readonly currentStage: Stage;
  readonly attempt: number;
  readonly outOfRetries: boolean;
}

/** Doublings after which a task that nobody claims is sent at a steady pace. */
const mostDoublings = 6;

/** The longest pause between two sendings of a task that nobody claims. */
export function longestResendWait(resendAfterMs: number): number {
  return resendAfterMs * 2 ** mostDoublings;
}

/** Columns of `task` for an {@link UnclaimedTask}. */
export const announced = `id, tenant_id as "tenantId", coalesce(document_id, knowledge_base_id) as "documentId", plan_id as "planId",
  task_type as "taskType", ${prioritySql('task')} as priority, retry_count as "retryCount", trace`;

/** The statements of the timed passes. Several processes may run them at once: rows in other hands are skipped. */
export class UpkeepRepository {
  constructor(private readonly database: Database) {}

  /** True for the one caller that may run a pass now; the pass is then due again after `intervalMs`. */
  async claimTick(pass: string, intervalMs: number): Promise<boolean> {
    const rows = await this.database.query(
      `insert into upkeep_pass (name, next_run_at) values ($1, clock_timestamp() + $2 * interval '1 ms')
       on conflict (name) do update
          set next_run_at = clock_timestamp() + $2 * interval '1 ms'
        where upkeep_pass.next_run_at <= clock_timestamp()
       returning 1`,
      [pass, intervalMs],
    );
    return rows.length === 1;
  }

  /** What the database's clock says. */
  async now(): Promise<Date> {
    const [row] = await this.database.query<{ now: Date }>('select clock_timestamp() as now');
    if (!row) throw new Error('the clock gave no row');
    return row.now;
  }

  async recordRun(pass: string, counts: Readonly<Record<string, number>> | null, error: string | null): Promise<void> {
    await this.database.query(
      `update upkeep_pass set last_run_at = clock_timestamp(), last_counts = $2, last_error = $3 where name = $1`,
      [pass, counts ? JSON.stringify(counts) : null, error],
    );
  }

  /**
   * Marks new tasks that nobody claimed as sent now, and gives them. The wait doubles with each sending: a task may
   * simply stand in a long queue, and its message with it.
   */
  takeUnclaimed(resendAfterMs: number, limit: number): Promise<UnclaimedTask[]> {
    return this.database.query<UnclaimedTask>(
      `update task set sent_at = clock_timestamp(), send_count = send_count + 1
        where id in (
          select id from task
           where task_status = ${TaskStatus.New}
             and sent_at < clock_timestamp() - $1 * interval '1 ms' * power(2, least(send_count - 1, ${mostDoublings}))
           order by id limit $2 for update skip locked)
       returning ${announced}`,
      [resendAfterMs, limit],
    );
  }

  /** Marks tasks whose retry is due as sent now, and gives them. One that nobody claims then comes again later. */
  takeDueRetries(resendAfterMs: number, limit: number): Promise<UnclaimedTask[]> {
    return this.database.query<UnclaimedTask>(
      `update task set sent_at = clock_timestamp()
        where id in (
          select id from task
           where task_status = ${TaskStatus.Retrying} and next_retry_at <= clock_timestamp()
             and (sent_at < next_retry_at or sent_at < clock_timestamp() - $1 * interval '1 ms')
           order by next_retry_at limit $2 for update skip locked)
       returning ${announced}`,
      [resendAfterMs, limit],
    );
  }

  /** Tasks whose lease is over, by rising ids above `after`. */
  expired(after: Id, limit: number): Promise<FoundTask[]> {
    return this.database.query<FoundTask>(
      `select id as "taskId", coalesce(document_id, knowledge_base_id) as "documentId" from task
        where task_status = ${TaskStatus.Running} and lease_until < clock_timestamp() and id > $1
        order by id limit $2`,
      [after, limit],
    );
  }

  /**
   * Takes one task out of the hands of its silent worker: to RETRYING, due at once, while retries are left, else to
   * TIMEOUT. Undefined when it was finished, extended or taken in the meantime.
   */
  async takeBack(
    tx: TransactionContext,
    taskId: Id,
    failure: Pick<TaskFailure, 'code' | 'message'>,
  ): Promise<ExpiredTask | undefined> {
    const [task] = await tx.query<ExpiredTask>(
      `with back as (
         update task
            set task_status = case when retry_count < max_retry_count then ${TaskStatus.Retrying} else ${TaskStatus.Timeout} end,
                retry_count = least(retry_count + 1, max_retry_count),
                next_retry_at = case when retry_count < max_retry_count then clock_timestamp() end,
                finished_at = case when retry_count < max_retry_count then null else clock_timestamp() end,
                stages = case when retry_count < max_retry_count then stages else ${stagesEndedIn(ExecuteStatus.Failed)} end,
                error = jsonb_build_object('code', $2::text, 'message', $3::text, 'stage', current_stage,
                                           'attempt', attempt, 'retryable', true),
                lease_until = null, worker_id = null
          where id = $1 and task_status = ${TaskStatus.Running} and lease_until < clock_timestamp()
         returning id, tenant_id, document_id, knowledge_base_id, plan_id, task_type, current_stage, attempt,
                   task_status = ${TaskStatus.Timeout} as out_of_retries
       ), logged as (
         insert into task_log (tenant_id, task_id, stage, event, actor, metadata)
         select tenant_id, id, current_stage,
                case when out_of_retries then '${TaskEvent.Timeout}' else '${TaskEvent.LeaseLost}' end, ${Actor.System},
                jsonb_build_object('code', $2::text, 'message', $3::text, 'attempt', attempt)
           from back
       )
       select id, tenant_id as "tenantId", coalesce(document_id, knowledge_base_id) as "documentId", plan_id as "planId", task_type as "taskType",
              current_stage as "currentStage", attempt, out_of_retries as "outOfRetries" from back`,
      [taskId, failure.code, failure.message],
    );
    if (task) tx.taskChanged({ tenantId: task.tenantId, taskId });
    return task;
  }
}
