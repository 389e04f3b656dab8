import type { CarriedTrace } from '../../domain/carried-trace.js';
import type { SkipReason } from '../../domain/batch/batch-item.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { Actor } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';

/** Which documents a batch is of: all of a base, or those that are named. */
export type BatchTarget = { readonly knowledgeBaseId: Id } | { readonly documentIds: readonly Id[] };

export interface NewBatch {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly target: BatchTarget;
  readonly onlyStale: boolean;
  readonly reason?: string;
  readonly operatorId?: Id;
  readonly trace: CarriedTrace;
}

/** A batch in the hands of whoever fills it. */
export interface HeldBatch {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly onlyStale: boolean;
  readonly operatorId: Id | null;
  /** Who last asked for its failed items again. */
  readonly retriedBy: Id | null;
  /** Of the call that made it, or that last had its failed items tried again; null where an older process took that. */
  readonly trace: CarriedTrace | null;
}

/** A document that waits for its task; with the failed one that is to go on, if there is one. */
export interface OpenItem {
  readonly documentId: Id;
  readonly taskId: Id | null;
}

/** What became of an open item. */
export type Settlement = { readonly documentId: Id } & ({ readonly taskId: Id } | { readonly skipReason: SkipReason });

const live = `(${TaskStatus.New}, ${TaskStatus.Running}, ${TaskStatus.Retrying})`;

/**
 * Batches and their items. Whoever changes a batch holds its row's lock, and takes documents and tasks after it; a row
 * that another process holds is not filled by this one.
 */
export class BatchRepository {
  constructor(private readonly database: Database) {}

  /** Stores the batch with an open item for every document of its target, in one statement; gives how many. */
  async insert(tx: TransactionContext, { target, ...batch }: NewBatch): Promise<number> {
    const [documents, value] =
      'documentIds' in target
        ? ['select distinct id from unnest($3::bigint[]) as named (id)', target.documentIds]
        : [
            'select id from document where tenant_id = $2 and knowledge_base_id = $3 and deleted_at is null',
            target.knowledgeBaseId,
          ];
    const [row] = await tx.query<{ total: number }>(
      `with items as (
         insert into batch_item (batch_id, document_id, tenant_id) select $1, id, $2 from (${documents}) d returning 1
       ), counted as (
         select count(*)::int as total from items
       )
       insert into batch (id, tenant_id, knowledge_base_id, only_stale, reason, trigger_source, operator_id, total, filled_at, trace)
       select $1, $2, $4, $5, $6, $7, $8, total, case when total = 0 then clock_timestamp() end, $9 from counted
       returning total`,
      [
        batch.id,
        batch.tenantId,
        value,
        'documentIds' in target ? null : target.knowledgeBaseId,
        batch.onlyStale,
        batch.reason ?? null,
        batch.operatorId ? Actor.User : Actor.System,
        batch.operatorId ?? null,
        JSON.stringify(batch.trace),
      ],
    );
    if (!row) throw new Error(`batch ${batch.id} was not stored`);
    return row.total;
  }

  /** Batches with open items; whichever was not looked at for longest comes first. */
  async toFill(limit: number): Promise<Id[]> {
    const rows = await this.database.query<{ id: Id }>(
      'select id from batch where filled_at is null and cancelled_at is null order by looked_at limit $1',
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks a batch that has open items; undefined where it has none, was cancelled, or is in other hands. */
  async holdToFill(tx: TransactionContext, batchId: Id): Promise<HeldBatch | undefined> {
    const [batch] = await tx.query<HeldBatch>(
      `select id, tenant_id as "tenantId", only_stale as "onlyStale", operator_id as "operatorId", retried_by as "retriedBy", trace
         from batch where id = $1 and filled_at is null and cancelled_at is null for update skip locked`,
      [batchId],
    );
    return batch;
  }

  /**
   * The first open items of a held batch, in the order of their documents: at most `limit`, and no more than bring the
   * batch to `ahead` live tasks.
   */
  openItems(tx: TransactionContext, batchId: Id, limit: number, ahead: number): Promise<OpenItem[]> {
    return tx.query<OpenItem>(
      `select document_id as "documentId", task_id as "taskId" from batch_item
        where batch_id = $1 and open order by document_id
        limit greatest(0, least($2, $3 - (select count(*) from task t where t.batch_id = $1 and t.task_status in ${live})))`,
      [batchId, limit, ahead],
    );
  }

  /** Closes items with what became of them. */
  async settle(tx: TransactionContext, batchId: Id, settlements: readonly Settlement[]): Promise<void> {
    const rows = await tx.query(
      `update batch_item i set open = false, error = null, task_id = s."taskId", skip_reason = s."skipReason"
         from json_to_recordset($2::json) as s ("documentId" bigint, "taskId" bigint, "skipReason" text)
        where i.batch_id = $1 and i.document_id = s."documentId" and i.open returning 1`,
      [batchId, JSON.stringify(settlements)],
    );
    if (rows.length !== settlements.length) throw new Error(`items of batch ${batchId} were settled by somebody else`);
  }

  /** Closes an item that cannot be settled, with the reason; one that had a failed task keeps that. */
  async fail(tx: TransactionContext, batchId: Id, documentId: Id, failure: FailureRecord): Promise<void> {
    await tx.query(
      `update batch_item set open = false, error = case when task_id is null then $3::jsonb end
        where batch_id = $1 and document_id = $2 and open`,
      [batchId, documentId, JSON.stringify(failure)],
    );
  }

  /** Notes that a held batch was looked at, and that it is filled if nothing of it is open. */
  async markLookedAt(tx: TransactionContext, batchId: Id): Promise<void> {
    await tx.query(
      `update batch b
          set looked_at = clock_timestamp(),
              filled_at = case when not exists (select 1 from batch_item i where i.batch_id = b.id and i.open)
                               then clock_timestamp() end
        where id = $1`,
      [batchId],
    );
  }

  /** Locks a batch for a person's command; false if there is none. */
  async hold(tx: TransactionContext, tenantId: TenantId, batchId: Id): Promise<boolean> {
    const rows = await tx.query('select 1 from batch where id = $1 and tenant_id = $2 for update', [batchId, tenantId]);
    return rows.length === 1;
  }

  /** From the commit on no item of the batch gets a task. Locks the documents of its live tasks, to cancel those. */
  async close(tx: TransactionContext, batchId: Id): Promise<void> {
    await tx.query('update batch set cancelled_at = clock_timestamp() where id = $1', [batchId]);
    await tx.query(
      `select 1 from document
        where id in (select document_id from task where batch_id = $1 and task_status in ${live})
        order by id for update`,
      [batchId],
    );
  }

  /** Opens the failed items of a held batch again; gives how many there are. */
  async reopenFailed(tx: TransactionContext, batchId: Id, trace: CarriedTrace, operatorId?: Id): Promise<number> {
    const rows = await tx.query(
      `update batch_item i set open = true, error = null
        where i.batch_id = $1 and not i.open
          and (i.error is not null
               or exists (select 1 from task t where t.id = i.task_id
                             and t.task_status in (${TaskStatus.Failed}, ${TaskStatus.Timeout})))
       returning 1`,
      [batchId],
    );
    if (rows.length > 0) {
      await tx.query('update batch set filled_at = null, retried_by = $2, trace = $3 where id = $1', [
        batchId,
        operatorId ?? null,
        JSON.stringify(trace),
      ]);
    }
    return rows.length;
  }
}
