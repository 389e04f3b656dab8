import type { Id, TenantId } from '../../domain/ids/id.js';
import { liveTaskStatuses } from '../../domain/task/task-status.js';
import { TaskType } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';
import { VersionState } from './index-version-repository.js';

/** A document in the hands of whoever deletes it. */
export interface DoomedDocument {
  readonly knowledgeBaseId: Id;
  readonly deleted: boolean;
  /** The live task that removes what is left of it. */
  readonly deleteTaskId: Id | null;
}

/** A deleted document of which something is left. */
export interface Remains {
  readonly documentId: Id;
  readonly sourceKey: string;
}

/** Whose remains: one document's, or those of all deleted documents of a base. */
export interface RemainsScope {
  readonly knowledgeBaseId: Id;
  readonly documentId?: Id;
}

/** Takes documents and bases out of sight at once, and out of the tables piece by piece. */
export class DeletionRepository {
  constructor(private readonly database: Database) {}

  /** Locks a document, deleted or not; undefined if there never was one. */
  async lockDocument(tx: TransactionContext, tenantId: TenantId, documentId: Id): Promise<DoomedDocument | undefined> {
    await tx.query('select 1 from document where id = $1 and tenant_id = $2 for no key update', [documentId, tenantId]);
    const [row] = await tx.query<DoomedDocument>(
      `select d.knowledge_base_id as "knowledgeBaseId", d.deleted_at is not null as deleted,
              (select t.id from task t where t.document_id = d.id and t.task_type = ${TaskType.DeleteIndex}
                 and t.task_status = any($3) limit 1) as "deleteTaskId"
         from document d where d.id = $1 and d.tenant_id = $2`,
      [documentId, tenantId, liveTaskStatuses],
    );
    return row;
  }

  /** From the commit on the document is found nowhere. */
  async hideDocument(tx: TransactionContext, documentId: Id): Promise<void> {
    await tx.query('update document set deleted_at = now(), updated_at = now() where id = $1', [documentId]);
  }

  /** Locks a base that is there; tells whether it is the default one. */
  async lockBase(tx: TransactionContext, tenantId: TenantId, baseId: Id): Promise<{ isDefault: boolean } | undefined> {
    const [row] = await tx.query<{ isDefault: boolean }>(
      `select is_default as "isDefault" from knowledge_base
        where id = $1 and tenant_id = $2 and deleted_at is null for update`,
      [baseId, tenantId],
    );
    return row;
  }

  /** From the commit on the base and its documents are found nowhere. Documents are locked in the order of their ids. */
  async hideBase(tx: TransactionContext, baseId: Id): Promise<void> {
    await tx.query(
      'select 1 from document where knowledge_base_id = $1 and deleted_at is null order by id for no key update',
      [baseId],
    );
    await tx.query(
      'update document set deleted_at = now(), updated_at = now() where knowledge_base_id = $1 and deleted_at is null',
      [baseId],
    );
    await tx.query('update knowledge_base set deleted_at = now(), updated_at = now() where id = $1', [baseId]);
  }

  /** How much is left, and the first of it. */
  async remains({ knowledgeBaseId, documentId }: RemainsScope, limit: number): Promise<Remains[]> {
    return this.database.query<Remains>(
      `select id as "documentId", source_key as "sourceKey" from document
        where knowledge_base_id = $1 and ($2::bigint is null or id = $2)
          and deleted_at is not null and purged_at is null
        order by id limit $3`,
      [knowledgeBaseId, documentId ?? null, limit],
    );
  }

  async countRemains({ knowledgeBaseId, documentId }: RemainsScope): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from document
        where knowledge_base_id = $1 and ($2::bigint is null or id = $2)
          and deleted_at is not null and purged_at is null`,
      [knowledgeBaseId, documentId ?? null],
    );
    return row?.count ?? 0;
  }

  /** Versions of a deleted document; none of them is served any more. */
  async retireVersions(
    tx: TransactionContext,
    documentId: Id,
  ): Promise<{ id: Id; dimension: number; knowledgeBaseId: Id }[]> {
    await tx.query('update document set active_version_id = null where id = $1', [documentId]);
    return tx.query(
      `update index_version set state = ${VersionState.Retired} where document_id = $1
       returning id, dimension, knowledge_base_id as "knowledgeBaseId"`,
      [documentId],
    );
  }

  /** Removes texts and plans, and notes that nothing is left but the row, its tasks and their logs. */
  async purge(tx: TransactionContext, documentId: Id): Promise<void> {
    await tx.query('delete from document_text where document_id = $1', [documentId]);
    await tx.query('delete from strategy_step where plan_id in (select id from strategy_plan where document_id = $1)', [
      documentId,
    ]);
    await tx.query('delete from strategy_plan where document_id = $1', [documentId]);
    await tx.query('update document set purged_at = now() where id = $1', [documentId]);
  }
}
