import { BatchState } from '../../domain/batch/batch-state.js';
import { ItemState, type SkipReason } from '../../domain/batch/batch-item.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import type { Actor } from '../../domain/task/task-type.js';
import type { Database, SqlRunner } from '../database.js';

/** A batch as people see it. */
export interface BatchView {
  readonly batchId: Id;
  readonly state: BatchState;
  /** Null for a list of documents. */
  readonly knowledgeBaseId: Id | null;
  readonly onlyStale: boolean;
  readonly reason: string | null;
  readonly triggerSource: Actor;
  readonly operatorId: Id | null;
  readonly total: number;
  /** They add up to `total`. */
  readonly counts: Readonly<Record<'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'skipped', number>>;
  readonly createdAt: Date;
  /** When the last of its items was over; null while it runs. */
  readonly finishedAt: Date | null;
}

/** One document of a batch as people see it. */
export interface BatchItemView {
  readonly documentId: Id;
  readonly taskId: Id | null;
  readonly state: ItemState;
  readonly skipReason: SkipReason | null;
  /** Why it failed. */
  readonly error: FailureRecord | null;
}

/** The one rule for how item i of batch b stands, by its task t. */
const stateSql = `case
  when i.open and b.cancelled_at is null then '${ItemState.Waiting}'
  when i.skip_reason is not null then '${ItemState.Skipped}'
  when i.error is not null then '${ItemState.Failed}'
  when t.task_status in (${TaskStatus.New}, ${TaskStatus.Retrying}) then '${ItemState.Waiting}'
  when t.task_status = ${TaskStatus.Running} then '${ItemState.Running}'
  when t.task_status = ${TaskStatus.Success} then '${ItemState.Succeeded}'
  when t.task_status in (${TaskStatus.Failed}, ${TaskStatus.Timeout}) then '${ItemState.Failed}'
  else '${ItemState.Cancelled}' end`;

const counted = (state: ItemState): string => `count(*) filter (where s.state = '${state}')::int`;

const viewSql = `
  select b.id as "batchId",
         case when b.cancelled_at is not null then '${BatchState.Cancelled}'
              when n.waiting + n.running > 0 then '${BatchState.Running}' else '${BatchState.Done}' end as state,
         b.knowledge_base_id as "knowledgeBaseId", b.only_stale as "onlyStale", b.reason,
         b.trigger_source as "triggerSource", b.operator_id as "operatorId", b.total,
         json_build_object('waiting', n.waiting, 'running', n.running, 'succeeded', n.succeeded, 'failed', n.failed,
                           'cancelled', n.cancelled, 'skipped', n.skipped) as counts,
         b.created_at as "createdAt",
         case when n.waiting + n.running = 0 then greatest(b.cancelled_at, b.filled_at, n.last_end) end as "finishedAt"
    from batch b
   cross join lateral (
     select ${counted(ItemState.Waiting)} as waiting, ${counted(ItemState.Running)} as running,
            ${counted(ItemState.Succeeded)} as succeeded, ${counted(ItemState.Failed)} as failed,
            ${counted(ItemState.Cancelled)} as cancelled, ${counted(ItemState.Skipped)} as skipped,
            max(s.finished_at) as last_end
       from (select ${stateSql} as state, t.finished_at
               from batch_item i left join task t on t.id = i.task_id where i.batch_id = b.id) s
   ) n
   where b.tenant_id = $1`;

/** What screens see of batches; all of it is told from items and tasks at the moment of reading. */
export class BatchReadRepository {
  constructor(private readonly database: Database) {}

  /** @param sql the transaction that holds the batch, if there is one. */
  async find(tenantId: TenantId, batchId: Id, sql: SqlRunner = this.database): Promise<BatchView | undefined> {
    const [batch] = await sql.query<BatchView>(`${viewSql} and b.id = $2`, [tenantId, batchId], 'batch-view');
    return batch;
  }

  async exists(tenantId: TenantId, batchId: Id): Promise<boolean> {
    const rows = await this.database.query('select 1 from batch where id = $1 and tenant_id = $2', [batchId, tenantId]);
    return rows.length === 1;
  }

  /** Newest first. */
  async list(tenantId: TenantId, page: PageRequest): Promise<Page<BatchView>> {
    const rows = await this.database.query<BatchView>(
      `${viewSql} and ($2::bigint is null or b.id < $2) order by b.id desc limit $3`,
      [tenantId, page.after ?? null, page.limit + 1],
    );
    return pageOf(rows, page.limit, (batch) => batch.batchId);
  }

  /** In the order of the documents' ids. */
  async listItems(batchId: Id, state: ItemState | undefined, page: PageRequest): Promise<Page<BatchItemView>> {
    const rows = await this.database.query<BatchItemView>(
      `select * from (
         select i.document_id as "documentId", i.task_id as "taskId", ${stateSql} as state, i.skip_reason as "skipReason",
                coalesce(i.error, case when t.task_status in (${TaskStatus.Failed}, ${TaskStatus.Timeout})
                                       then t.error end) as error
           from batch_item i join batch b on b.id = i.batch_id left join task t on t.id = i.task_id
          where i.batch_id = $1 and i.document_id > $2
       ) item
       where $3::text is null or state = $3
       order by "documentId" limit $4`,
      [batchId, page.after ?? '0', state ?? null, page.limit + 1],
    );
    return pageOf(rows, page.limit, (item) => item.documentId);
  }
}
