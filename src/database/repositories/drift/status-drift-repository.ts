import { IndexStatus } from '../../../domain/document/index-status.js';
import { ParseStatus } from '../../../domain/document/parse-status.js';
import type { FailureRecord } from '../../../domain/errors.js';
import type { Id, TenantId } from '../../../domain/ids/id.js';
import { ExecuteStatus } from '../../../domain/plan/step-status.js';
import { TaskEvent } from '../../../domain/task/task-event.js';
import { liveTaskStatuses, TaskStatus } from '../../../domain/task/task-status.js';
import { Actor, TaskType } from '../../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../../database.js';
import { scanRows } from './row-scan.js';

const live = liveTaskStatuses.join(', ');

/** The task that decides what a document says: the live one of these types, else the newest. */
const decidingTask = (types: string): string => `left join lateral (
  select t.id, t.tenant_id, t.plan_id, t.task_status, t.current_stage, t.error from task t
   where t.tenant_id = seen.tenant_id and t.document_id = seen.id and t.task_type in (${types})
   order by t.task_status in (${live}) desc, t.id desc limit 1) t on true`;

const buildTask = decidingTask(`${TaskType.BuildIndex}, ${TaskType.RebuildIndex}`);
const parseTask = decidingTask(String(TaskType.ParseDocument));

/** What `indexStatus` must be, by the task that decides and by what is served. */
const dueIndexStatus = `case
  when t.task_status in (${live}) then ${IndexStatus.Building}
  when t.task_status in (${TaskStatus.Failed}, ${TaskStatus.Timeout}) then ${IndexStatus.BuildFailed}
  when seen.active_version_id is not null then ${IndexStatus.Built}
  when t.task_status = ${TaskStatus.Success} then ${IndexStatus.BuildFailed}
  else ${IndexStatus.WaitBuild} end`;

/** The same for `parseStatus`; two statuses go with a live task, and a document without any may be parsed long ago. */
const dueParseStatus = `case
  when t.task_status in (${live}) then
    case when seen.parse_status = ${ParseStatus.Parsing} then ${ParseStatus.Parsing} else ${ParseStatus.WaitParse} end
  when t.task_status = ${TaskStatus.Success} and seen.text_revision > 0 then ${ParseStatus.ParseSuccess}
  when t.id is null and seen.parse_status not in (${ParseStatus.WaitParse}, ${ParseStatus.Parsing}) then seen.parse_status
  else ${ParseStatus.ParseFailed} end`;

/** Why it failed: as the task says, else by how the task ended. */
const reason = `coalesce(
  t.error,
  case when t.task_status = ${TaskStatus.Cancelled} then $3::jsonb else $4::jsonb end)`;

const cancelled: FailureRecord = { code: 'CANCELLED', message: 'The task was cancelled.' };
const noEnd: FailureRecord = { code: 'TASK_MISSING', message: 'The work on the document came to no recorded end.' };
const noVersion: FailureRecord = { code: 'INDEX_INCOMPLETE', message: 'The version that was built is not there.' };

/** Finds documents whose statuses are not those of their tasks, and sets them right under the document's lock. */
export class StatusDriftRepository {
  constructor(private readonly database: Database) {}

  buildingWithoutTask(): AsyncIterable<readonly Id[]> {
    return this.scan(`index_status = ${IndexStatus.Building}`, buildTask, `${dueIndexStatus} <> seen.index_status`);
  }

  otherIndexStatus(): AsyncIterable<readonly Id[]> {
    return this.scan(`index_status <> ${IndexStatus.Building}`, buildTask, `${dueIndexStatus} <> seen.index_status`);
  }

  parsingWithoutTask(): AsyncIterable<readonly Id[]> {
    const parsing = `parse_status in (${ParseStatus.WaitParse}, ${ParseStatus.Parsing})`;
    return this.scan(parsing, parseTask, `${dueParseStatus} <> seen.parse_status`);
  }

  otherParseStatus(): AsyncIterable<readonly Id[]> {
    const settled = `parse_status not in (${ParseStatus.WaitParse}, ${ParseStatus.Parsing})`;
    return this.scan(settled, parseTask, `${dueParseStatus} <> seen.parse_status`);
  }

  /** Gives a document the index status that is due; false if it has it. */
  async settleIndex(tx: TransactionContext, documentId: Id, kind: string): Promise<boolean> {
    await lockDocument(tx, documentId);
    const rows = await tx.query<SettledBy>(
      `with due as (
         select seen.id, ${dueIndexStatus} as status, ${reason} as reason, t.id as task_id, t.tenant_id, t.plan_id, t.current_stage
           from document seen ${buildTask} where seen.id = $1
       ), settled as (
         update document d
            set index_status = due.status, updated_at = now(),
                error = case due.status when ${IndexStatus.BuildFailed} then ${failureIn('due.reason')}
                                        when ${IndexStatus.Building} then d.error
                                        else case when d.parse_status = ${ParseStatus.ParseFailed} then d.error end end
           from due where d.id = due.id and d.deleted_at is null and d.index_status <> due.status
         returning due.*
       ), steps as (
         update strategy_step s
            set execute_status = case settled.status when ${IndexStatus.BuildFailed} then ${ExecuteStatus.Failed}
                                                     else ${ExecuteStatus.WaitExecute} end
           from settled
          where s.plan_id = settled.plan_id and s.execute_status = ${ExecuteStatus.Running}
            and settled.status <> ${IndexStatus.Building}
       ), ${repairedLine}
       select tenant_id as "tenantId", task_id as "taskId" from settled`,
      [documentId, kind, JSON.stringify(cancelled), JSON.stringify(noVersion)],
    );
    tell(tx, rows);
    return rows.length === 1;
  }

  /** Gives a document the parse status that is due; false if it has it. */
  async settleParsing(tx: TransactionContext, documentId: Id, kind: string): Promise<boolean> {
    await lockDocument(tx, documentId);
    const rows = await tx.query<SettledBy>(
      `with due as (
         select seen.id, ${dueParseStatus} as status, ${reason} as reason, t.id as task_id, t.tenant_id, t.current_stage
           from document seen ${parseTask} where seen.id = $1
       ), settled as (
         update document d
            set parse_status = due.status, updated_at = now(),
                error = case due.status when ${ParseStatus.ParseFailed} then ${failureIn('due.reason')} end
           from due where d.id = due.id and d.deleted_at is null and d.parse_status <> due.status
         returning due.*
       ), ${repairedLine}
       select tenant_id as "tenantId", task_id as "taskId" from settled`,
      [documentId, kind, JSON.stringify(cancelled), JSON.stringify(noEnd)],
    );
    tell(tx, rows);
    return rows.length === 1;
  }

  private scan(candidates: string, joins: string, meant: string): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'document',
      candidates: `deleted_at is null and ${candidates}`,
      joins,
      meant,
    });
  }
}

/** The task that decided a status, if there is one. */
interface SettledBy {
  readonly tenantId: TenantId | null;
  readonly taskId: Id | null;
}

/** Whoever follows the task hears of the line in its log. */
function tell(tx: TransactionContext, settled: readonly SettledBy[]): void {
  for (const { tenantId, taskId } of settled)
    if (tenantId !== null && taskId !== null) tx.taskChanged({ tenantId, taskId });
}

/** Takes the lock that everything takes first that moves a document or its tasks. */
export async function lockDocument(tx: TransactionContext, documentId: Id): Promise<void> {
  await tx.query('select 1 from document where id = $1 for no key update', [documentId]);
}

/** The line that tells of a repair in the log of the task that decided it; `$2` names the kind. */
const repairedLine = `logged as (
  insert into task_log (tenant_id, task_id, stage, event, actor, metadata)
  select tenant_id, task_id, current_stage, '${TaskEvent.Repaired}', ${Actor.System}, jsonb_build_object('kind', $2::text)
    from settled where task_id is not null)`;

/** Of what a task keeps, the part that a document keeps. */
function failureIn(error: string): string {
  return `jsonb_build_object('code', ${error} ->> 'code', 'message', ${error} ->> 'message')`;
}
