import { ExecuteStatus } from '../../domain/plan/step-status.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id } from '../../domain/ids/id.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { Actor } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';
import { stagesEndedIn } from '../stages-sql.js';
import type { ClaimedTask } from './task-lease-repository.js';

/** An attempt that is over its limit; another attempt at the same task is not. */
export interface OverdueAttempt {
  readonly taskId: Id;
  readonly documentId: Id;
  readonly attempt: number;
}

export type EndedTask = Pick<ClaimedTask, 'id' | 'tenantId' | 'documentId' | 'planId' | 'taskType'>;

/** Attempts over their time limit whose workers do not end them. */
export class OverdueRepository {
  constructor(private readonly database: Database) {}

  /** What has been over its limit for longer than `graceMs`, by rising ids above `after`. */
  find(graceMs: number, after: Id, limit: number): Promise<OverdueAttempt[]> {
    return this.database.query(
      `select id as "taskId", coalesce(document_id, knowledge_base_id) as "documentId", attempt from task
        where task_status = ${TaskStatus.Running} and deadline_at < clock_timestamp() - $1 * interval '1 ms'
          and id > $2
        order by id limit $3`,
      [graceMs, after, limit],
    );
  }

  /**
   * Ends an attempt as TIMEOUT, if it is still running and still over its limit: it may have got on, ended, or been taken
   * over since it was found. Undefined then.
   */
  async end(
    tx: TransactionContext,
    { taskId, attempt }: OverdueAttempt,
    graceMs: number,
    { code, message }: FailureRecord,
  ): Promise<EndedTask | undefined> {
    const [task] = await tx.query<EndedTask>(
      `with ended as (
         update task
            set task_status = ${TaskStatus.Timeout}, finished_at = clock_timestamp(), lease_until = null, worker_id = null,
                stages = ${stagesEndedIn(ExecuteStatus.Failed)},
                error = jsonb_build_object('code', $4::text, 'message', $5::text, 'stage', current_stage,
                                           'attempt', attempt, 'retryable', true)
          where id = $1 and attempt = $2 and task_status = ${TaskStatus.Running}
            and deadline_at < clock_timestamp() - $3 * interval '1 ms'
         returning *
       ), logged as (
         insert into task_log (tenant_id, task_id, stage, event, actor, metadata)
         select tenant_id, id, current_stage, '${TaskEvent.Timeout}', ${Actor.System}, error from ended
       )
       select id, tenant_id as "tenantId", coalesce(document_id, knowledge_base_id) as "documentId",
              plan_id as "planId", task_type as "taskType" from ended`,
      [taskId, attempt, graceMs, code, message],
    );
    if (task) tx.taskChanged({ tenantId: task.tenantId, taskId });
    return task;
  }
}
