import type { Id } from '../../domain/ids/id.js';
import { liveTaskStatuses, TaskStatus } from '../../domain/task/task-status.js';
import { TaskType } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';
import { scanRows } from './drift/row-scan.js';
import { lockDocument } from './drift/status-drift-repository.js';

const dayMs = 86_400_000;

const finishedBefore = `finished_at < clock_timestamp() - $3 * interval '1 ms'`;

/** The newest task of its kind says what its document's status means, and the one that built a version what is in it. */
const needed = `
  exists (select 1 from index_version v where v.task_id = seen.id)
  or seen.batch_id is not null
  or exists (select 1 from document d where d.id = seen.document_id and d.purged_at is null)
     and not exists (select 1 from task n where n.tenant_id = seen.tenant_id and n.document_id = seen.document_id and n.id > seen.id
                        and (n.task_type = ${TaskType.ParseDocument}) = (seen.task_type = ${TaskType.ParseDocument}))`;

/**
 * The revision is not the document's, no version or plan was made from it, and no parse is at work on it or could be
 * retried from it.
 */
const unnamed = (text: string, document: string): string => `
  ${text}.revision <> ${document}.text_revision
  and not exists (select 1 from index_version v where v.document_id = ${text}.document_id and v.text_revision = ${text}.revision)
  and not exists (select 1 from strategy_plan p where p.document_id = ${text}.document_id and p.text_revision = ${text}.revision and p.status = 1)
  and (${text}.revision < ${document}.text_revision or coalesce((
    select t.task_status in (${TaskStatus.Success}, ${TaskStatus.Cancelled}) from task t
     where t.tenant_id = ${document}.tenant_id and t.document_id = ${document}.id and t.task_type = ${TaskType.ParseDocument}
     order by t.id desc limit 1), true))`;

/** Finds what is old and needed no more, and removes it. Days are those of the policy. */
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** Tasks that ended so long ago, and still have their log. */
  oldLogs(days: number): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'task',
      candidates: finishedBefore,
      meant: 'exists (select 1 from task_log l where l.task_id = seen.id)',
      parameters: [days * dayMs],
    });
  }

  /** Removes at most `limit` lines of a task that is over; gives how many there were. */
  async removeLog(tx: TransactionContext, taskId: Id, limit: number): Promise<number> {
    const rows = await tx.query(
      `delete from task_log where id in (
         select l.id from task_log l join task t on t.id = l.task_id and t.task_status <> all($3)
          where l.task_id = $1 order by l.id limit $2)
       returning 1`,
      [taskId, limit, liveTaskStatuses],
    );
    return rows.length;
  }

  /** Tasks that ended so long ago and that nothing refers to. */
  oldTasks(days: number): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'task',
      candidates: finishedBefore,
      meant: `not (${needed})`,
      parameters: [days * dayMs],
    });
  }

  /** Removes a task that is over and has no log; false if it has come to life again. */
  async removeTask(tx: TransactionContext, taskId: Id): Promise<boolean> {
    const rows = await tx.query(
      `delete from task seen where id = $1 and task_status <> all($2) and not (${needed}) returning 1`,
      [taskId, liveTaskStatuses],
    );
    return rows.length === 1;
  }

  /** Documents with texts that are so old and that nothing names. */
  oldTexts(days: number): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'document',
      candidates: 'deleted_at is null',
      meant: `exists (select 1 from document_text x where x.document_id = seen.id
                         and x.created_at < clock_timestamp() - $3 * interval '1 ms' and ${unnamed('x', 'seen')})`,
      parameters: [days * dayMs],
    });
  }

  async removeTexts(tx: TransactionContext, documentId: Id, days: number): Promise<boolean> {
    await lockDocument(tx, documentId);
    const rows = await tx.query(
      `delete from document_text x using document d
        where d.id = $1 and x.document_id = d.id and x.created_at < clock_timestamp() - $2 * interval '1 ms'
          and ${unnamed('x', 'd')}
       returning 1`,
      [documentId, days * dayMs],
    );
    return rows.length > 0;
  }
}
