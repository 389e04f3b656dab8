import type { Id, TenantId } from '../../domain/ids/id.js';
import type { ErrorCode } from '../../domain/errors.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import type { Stage } from '../../domain/task/stage.js';
import { TaskEvent } from '../../domain/task/task-event.js';
import { Actor } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';

/** One line of a task's history. */
export interface TaskLogEntry {
  readonly tenantId: TenantId;
  readonly taskId: Id;
  readonly stage: Stage;
  readonly event: TaskEvent;
  /** Whoever caused it; the system when absent. */
  readonly operatorId?: Id;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface TaskLogRow {
  readonly id: Id;
  readonly at: Date;
  readonly stage: Stage;
  readonly event: TaskEvent;
  readonly actor: Actor;
  readonly operatorId: Id | null;
  readonly metadata: Record<string, unknown>;
}

/** The append-only history of tasks. */
export class TaskLogRepository {
  constructor(private readonly database: Database) {}

  async append(transaction: TransactionContext, entry: TaskLogEntry): Promise<void> {
    await transaction.query(
      `insert into task_log (tenant_id, task_id, stage, event, actor, operator_id, metadata)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        entry.tenantId,
        entry.taskId,
        entry.stage,
        entry.event,
        entry.operatorId ? Actor.User : Actor.System,
        entry.operatorId ?? null,
        JSON.stringify(entry.metadata ?? {}),
      ],
    );
    transaction.taskChanged({ tenantId: entry.tenantId, taskId: entry.taskId });
  }

  /** How many attempts at a task ended with an error of this code. */
  async countFailures(taskId: Id, code: ErrorCode): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from task_log
        where task_id = $1 and event in ('${TaskEvent.RetryScheduled}', '${TaskEvent.Failed}') and metadata ->> 'code' = $2`,
      [taskId, code],
    );
    return row?.count ?? 0;
  }

  /** Oldest first. */
  async list(tenantId: TenantId, taskId: Id, page: PageRequest): Promise<Page<TaskLogRow>> {
    const rows = await this.database.query<TaskLogRow>(
      `select id, at, stage, event, actor, operator_id as "operatorId", metadata from task_log
        where task_id = $1 and tenant_id = $2 and id > $3 order by id limit $4`,
      [taskId, tenantId, page.after ?? '0', page.limit + 1],
    );
    return pageOf(rows, page.limit, (row) => row.id);
  }
}
