import type { CarriedTrace } from '../../domain/carried-trace.js';
import { ExecuteStatus } from '../../domain/plan/step-status.js';
import { IndexStatus } from '../../domain/document/index-status.js';
import { DeadLetterState } from '../../domain/dead-letter.js';
import { ParseStatus } from '../../domain/document/parse-status.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import type { TaskPriority } from '../../domain/task/task-priority.js';
import { liveTaskStatuses, TaskStatus } from '../../domain/task/task-status.js';
import { Actor, TaskType } from '../../domain/task/task-type.js';
import type { TransactionContext } from '../database.js';
import { prioritySql } from '../priority-sql.js';
import { stagesEndedIn } from '../stages-sql.js';

/** Which live tasks to cancel: one, or all of a document, of a base or of a batch. */
export type CancelScope =
  { readonly taskId: Id } | { readonly documentId: Id } | { readonly knowledgeBaseId: Id } | { readonly batchId: Id };

/** What retrying a task is judged by. */
export interface RetryFacts {
  readonly taskId: Id;
  /** Its document; the base's id where a whole base is deleted. */
  readonly documentId: Id;
  readonly planId: Id | null;
  readonly taskType: TaskType;
  readonly priority: TaskPriority;
  readonly taskStatus: TaskStatus;
  readonly currentStage: Stage;
  readonly retryCount: number;
  /** Another live task that this one would get in the way of. */
  readonly liveTaskId: Id | null;
  readonly newerExists: boolean;
  /** False when the document is gone, or its plan or source is not the task's any more. A deletion is always meant. */
  readonly stillMeant: boolean;
}

const cancelled: FailureRecord = { code: 'CANCELLED', message: 'The task was cancelled.' };

/** What people do to tasks: cancel and retry. The caller holds the lock of the document. */
export class TaskCommandRepository {
  /** Locks the document of a task, or the base that it deletes; gives the id, undefined if there is no such task. */
  async lockOwnerOf(tx: TransactionContext, tenantId: TenantId, taskId: Id): Promise<Id | undefined> {
    const [row] = await tx.query<{ documentId: Id | null; baseId: Id }>(
      'select document_id as "documentId", knowledge_base_id as "baseId" from task where id = $1 and tenant_id = $2',
      [taskId, tenantId],
    );
    if (!row) return undefined;
    const [table, id] = row.documentId ? ['document', row.documentId] : ['knowledge_base', row.baseId];
    await tx.query(`select 1 from ${table} where id = $1 for no key update`, [id]);
    return id;
  }

  /**
   * Ends live tasks, writes their lines, and puts documents and plan steps back to where they can be used again. Tasks
   * that delete are left alone. Gives the ids of what was cancelled.
   */
  async cancel(tx: TransactionContext, tenantId: TenantId, scope: CancelScope, operatorId?: Id): Promise<Id[]> {
    const [column, value] = columnOf(scope);
    const rows = await tx.query<{ id: Id }>(
      `with ended as (
         update task
            set task_status = ${TaskStatus.Cancelled}, finished_at = clock_timestamp(), lease_until = null,
                worker_id = null, next_retry_at = null,
                stages = ${stagesEndedIn(ExecuteStatus.WaitExecute)}
          where ${column} = $1 and tenant_id = $2 and task_type <> ${TaskType.DeleteIndex}
            and task_status in (${TaskStatus.New}, ${TaskStatus.Running}, ${TaskStatus.Retrying})
         returning id, tenant_id, document_id, plan_id, task_type, current_stage
       ), lines as (
         insert into task_log (tenant_id, task_id, stage, event, actor, operator_id)
         select tenant_id, id, current_stage, '${TaskEvent.Cancelled}', $3, $4 from ended
       ), steps as (
         update strategy_step set execute_status = ${ExecuteStatus.WaitExecute}
          where execute_status = ${ExecuteStatus.Running} and plan_id in (select plan_id from ended)
       ), builds as (
         update document
            set index_status = case when active_version_id is null then ${IndexStatus.WaitBuild}
                                    else ${IndexStatus.Built} end, updated_at = now()
          where index_status = ${IndexStatus.Building}
            and id in (select document_id from ended where task_type <> ${TaskType.ParseDocument})
       ), parses as (
         update document set parse_status = ${ParseStatus.ParseFailed}, error = $5, updated_at = now()
          where parse_status in (${ParseStatus.WaitParse}, ${ParseStatus.Parsing})
            and id in (select document_id from ended where task_type = ${TaskType.ParseDocument})
       )
       select id from ended`,
      [value, tenantId, operatorId ? Actor.User : Actor.System, operatorId ?? null, JSON.stringify(cancelled)],
    );
    for (const { id } of rows) tx.taskChanged({ tenantId, taskId: id });
    return rows.map(({ id }) => id);
  }

  async retryFacts(tx: TransactionContext, tenantId: TenantId, taskId: Id): Promise<RetryFacts> {
    const [facts] = await tx.query<RetryFacts>(
      `select t.id as "taskId", coalesce(t.document_id, t.knowledge_base_id) as "documentId", t.plan_id as "planId",
              t.task_type as "taskType", ${prioritySql('t')} as priority, t.task_status as "taskStatus", t.current_stage as "currentStage",
              t.retry_count as "retryCount", other.live_id as "liveTaskId",
              coalesce(other.newer_exists, false) as "newerExists",
              (t.task_type = ${TaskType.DeleteIndex} or d.deleted_at is null and (t.task_type = ${TaskType.ParseDocument}
                or d.current_plan_id = t.plan_id and d.source_hash = t.build_spec ->> 'sourceHash')) as "stillMeant"
         from task t
         left join document d on d.id = t.document_id
         left join lateral (
           select min(o.id) filter (where o.task_status in (${liveTaskStatuses.join(', ')})
                                      and (o.task_type <> ${TaskType.DeleteIndex} or t.task_type = ${TaskType.DeleteIndex})) as live_id,
                  bool_or(o.id > t.id and (o.task_type = ${TaskType.ParseDocument}) = (t.task_type = ${TaskType.ParseDocument})) as newer_exists
             from (select * from task where tenant_id = t.tenant_id and document_id = t.document_id
                   union all
                   -- Deletions of the whole base, beside one of those.
                   select * from task where t.document_id is null and tenant_id = t.tenant_id and document_id is null
                                        and knowledge_base_id = t.knowledge_base_id) o
            where o.id <> t.id) other on true
        where t.id = $1 and t.tenant_id = $2 for update of t`,
      [taskId, tenantId],
    );
    if (!facts) throw new Error(`task ${taskId} is gone`);
    return facts;
  }

  /**
   * Makes a failed task due again, from the stage where it failed, with all its automatic retries. An open dead letter
   * about it is replayed by that.
   *
   * @param trace that of whoever asks: the task goes on as a part of it
   */
  async retry(
    tx: TransactionContext,
    tenantId: TenantId,
    facts: RetryFacts,
    trace: CarriedTrace,
    operatorId?: Id,
  ): Promise<void> {
    const rows = await tx.query(
      `with again as (
         update task
            set task_status = ${TaskStatus.Retrying}, retry_count = 0, next_retry_at = clock_timestamp(),
                finished_at = null, sent_at = 'epoch', trace = $5
          where id = $1 and tenant_id = $2 and task_status in (${TaskStatus.Failed}, ${TaskStatus.Timeout})
         returning id, tenant_id, document_id, task_type, current_stage
       ), lines as (
         insert into task_log (tenant_id, task_id, stage, event, actor, operator_id)
         select tenant_id, id, current_stage, '${TaskEvent.RetryRequested}', $3, $4 from again
       ), documents as (
         update document d
            set parse_status = case when again.task_type = ${TaskType.ParseDocument} then ${ParseStatus.WaitParse} else d.parse_status end,
                index_status = case when again.task_type = ${TaskType.ParseDocument} then d.index_status else ${IndexStatus.Building} end,
                error = null, updated_at = now()
           from again where d.id = again.document_id and again.task_type <> ${TaskType.DeleteIndex}
       ), letters as (
         update dead_letter l set state = '${DeadLetterState.Replayed}', settled_at = clock_timestamp(), settled_by = $4
           from again where l.task_id = again.id and l.subject = 'task ' || again.id and l.state = '${DeadLetterState.Open}'
       )
       select 1 from again`,
      [facts.taskId, tenantId, operatorId ? Actor.User : Actor.System, operatorId ?? null, JSON.stringify(trace)],
    );
    if (rows.length !== 1) throw new Error(`task ${facts.taskId} was judged retryable and could not be retried`);
    tx.taskChanged({ tenantId, taskId: facts.taskId });
  }
}

function columnOf(scope: CancelScope): [string, Id] {
  if ('taskId' in scope) return ['id', scope.taskId];
  if ('batchId' in scope) return ['batch_id', scope.batchId];
  return 'documentId' in scope ? ['document_id', scope.documentId] : ['knowledge_base_id', scope.knowledgeBaseId];
}
