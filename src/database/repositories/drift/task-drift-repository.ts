import type { Id, TenantId } from '../../../domain/ids/id.js';
import { liveTaskStatuses, TaskStatus } from '../../../domain/task/task-status.js';
import { TaskType } from '../../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../../database.js';
import { OutboxStatus } from '../outbox-repository.js';
import { announced, longestResendWait, type UnclaimedTask } from '../upkeep-repository.js';
import { scanRows } from './row-scan.js';
import { lockDocument } from './status-drift-repository.js';

const live = liveTaskStatuses.join(', ');

/** No deletion of the document, alone or with its base, is under way. */
const noDeletion = (document: string): string => `not exists (
  select 1 from task t
   where t.task_type = ${TaskType.DeleteIndex} and t.task_status in (${live})
     and (t.document_id = ${document}.id or t.document_id is null and t.knowledge_base_id = ${document}.knowledge_base_id))`;

/** Whose remains a deletion task is to remove. */
export interface AbandonedDeletion {
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
}

/** Finds tasks that nobody works on or that have nothing to work on, and messages that were given up. */
export class TaskDriftRepository {
  constructor(private readonly database: Database) {}

  /** Live tasks, other than deletions, of documents that are deleted or gone. */
  ofDeletedDocuments(): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'task',
      candidates: `task_status in (${live})`,
      joins: 'left join document d on d.id = seen.document_id',
      meant: `seen.task_type <> ${TaskType.DeleteIndex} and (d.id is null or d.deleted_at is not null)`,
    });
  }

  async tenantOf(tx: TransactionContext, taskId: Id): Promise<TenantId | undefined> {
    const [row] = await tx.query<{ tenantId: TenantId }>('select tenant_id as "tenantId" from task where id = $1', [
      taskId,
    ]);
    return row?.tenantId;
  }

  /** Deleted documents of which something is left, while no task removes it. */
  deletionsWithoutTask(): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'document',
      candidates: 'deleted_at is not null and purged_at is null',
      meant: noDeletion('seen'),
    });
  }

  /** Locks the document; gives it if its deletion is still abandoned and was not begun anew since `restMs`. */
  async lockAbandoned(tx: TransactionContext, documentId: Id, restMs: number): Promise<AbandonedDeletion | undefined> {
    await lockDocument(tx, documentId);
    const [row] = await tx.query<AbandonedDeletion>(
      `select d.tenant_id as "tenantId", d.id as "documentId", d.knowledge_base_id as "knowledgeBaseId" from document d
        where d.id = $1 and d.deleted_at is not null and d.purged_at is null and ${noDeletion('d')}
          and not exists (select 1 from task r
                           where r.tenant_id = d.tenant_id and r.document_id = d.id and r.task_type = ${TaskType.DeleteIndex}
                             and r.created_at > clock_timestamp() - $2 * interval '1 ms')`,
      [documentId, restMs],
    );
    return row;
  }

  /** Tasks that wait, and whose message should have been sent again long ago. */
  unsent(resendAfterMs: number): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'task',
      candidates: `task_status in (${TaskStatus.New}, ${TaskStatus.Retrying})`,
      meant: overdue('seen', '$3'),
      parameters: [2 * longestResendWait(resendAfterMs)],
    });
  }

  /** Marks one such task as sent now, and gives it to whoever writes its message. */
  async takeUnsent(tx: TransactionContext, taskId: Id, resendAfterMs: number): Promise<UnclaimedTask | undefined> {
    const [task] = await tx.query<UnclaimedTask>(
      `update task set sent_at = clock_timestamp()
        where id = $1 and task_status in (${TaskStatus.New}, ${TaskStatus.Retrying}) and ${overdue('task', '$2')}
       returning ${announced}`,
      [taskId, 2 * longestResendWait(resendAfterMs)],
    );
    return task;
  }

  messagesGivenUp(): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, { table: 'outbox', candidates: `status = ${OutboxStatus.Failed}`, meant: 'true' });
  }

  /** Has a message that was given up sent again, with all its tries. */
  async requeueMessage(tx: TransactionContext, id: Id): Promise<boolean> {
    const rows = await tx.query(
      `update outbox set status = ${OutboxStatus.Pending}, tries = 0, next_try_at = clock_timestamp()
        where id = $1 and status = ${OutboxStatus.Failed} returning 1`,
      [id],
    );
    return rows.length === 1;
  }
}

function overdue(task: string, waitMs: string): string {
  const since = `clock_timestamp() - ${waitMs} * interval '1 ms'`;
  return `${task}.sent_at < ${since} and coalesce(${task}.next_retry_at, ${task}.created_at) < ${since}`;
}
