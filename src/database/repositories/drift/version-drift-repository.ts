import type { BuildSpec } from '../../../domain/build-spec.js';
import type { Id, TenantId } from '../../../domain/ids/id.js';
import { Level } from '../../../domain/plan/strategy.js';
import { liveTaskStatuses, TaskStatus } from '../../../domain/task/task-status.js';
import { indexTaskTypes, TaskType } from '../../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../../database.js';
import { vectorTable } from '../../vector-tables.js';
import { VersionState } from '../index-version-repository.js';
import { scanRows } from './row-scan.js';
import { lockDocument } from './status-drift-repository.js';

/** A served version that is to be built again as it was confirmed. */
export interface ServedBuild {
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
  readonly planId: Id;
  readonly strategySnapshot: string;
  readonly buildSpec: BuildSpec;
}

const idle = `not exists (
  select 1 from task t where t.document_id = seen.document_id and t.tenant_id = seen.tenant_id
     and t.task_type in (${indexTaskTypes.join(', ')}) and t.task_status in (${liveTaskStatuses.join(', ')}))`;

const chunks = (level: Level): string =>
  `(select count(*) from chunk c where c.version_id = seen.id and c.level = '${level}')`;

/** Finds served versions that are not there, not whole, or not the one that is named. What is given are documents. */
export class VersionDriftRepository {
  constructor(private readonly database: Database) {}

  /** The document names a version, and none of its versions is active. */
  activeMissing(): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'document',
      candidates: 'deleted_at is null and active_version_id is not null',
      meant: `not exists (select 1 from index_version v where v.document_id = seen.id and v.state = ${VersionState.Active})`,
    });
  }

  /** A version is active that its document does not name. */
  activeUnnamed(): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'index_version',
      candidates: `state = ${VersionState.Active}`,
      meant: `not exists (select 1 from document d where d.id = seen.document_id and d.active_version_id = seen.id)`,
      gives: 'seen.document_id',
    });
  }

  /**
   * Has document and versions agree on one: the newest that either of them says is served and whose task succeeded.
   * Statuses are settled by those who settle statuses. False if they agree.
   */
  async settleActive(tx: TransactionContext, documentId: Id): Promise<boolean> {
    await lockDocument(tx, documentId);
    const [due] = await tx.query<{ versionId: Id | null; agreed: boolean }>(
      `select n.id as "versionId",
              n.id is not distinct from d.active_version_id and not exists (
                select 1 from index_version v where v.document_id = d.id
                   and (v.state = ${VersionState.Active}) <> (v.id is not distinct from n.id)) as agreed
         from document d
         left join lateral (
           select v.id from index_version v join task t on t.id = v.task_id and t.task_status = ${TaskStatus.Success}
            where v.document_id = d.id and d.deleted_at is null
              and (v.state = ${VersionState.Active} or v.id = d.active_version_id)
            order by v.version desc limit 1) n on true
        where d.id = $1`,
      [documentId],
    );
    if (!due || due.agreed) return false;
    await tx.query(
      `update index_version set state = ${VersionState.Retired}
        where document_id = $1 and state = ${VersionState.Active} and id is distinct from $2`,
      [documentId, due.versionId],
    );
    await tx.query(`update index_version set state = ${VersionState.Active} where id = $1`, [due.versionId]);
    await tx.query('update document set active_version_id = $2, updated_at = now() where id = $1', [
      documentId,
      due.versionId,
    ]);
    return true;
  }

  /** Served versions with other numbers of chunks than they were switched in with. */
  chunkCountsDisagree(): AsyncIterable<readonly Id[]> {
    return this.served(
      `(${chunks(Level.Parent)} <> seen.parent_count or ${chunks(Level.Child)} <> seen.child_count) and ${idle}`,
    );
  }

  /** Served versions with children that have no vector. */
  async *vectorsMissing(): AsyncGenerator<readonly Id[]> {
    for (const dimension of await this.dimensions()) {
      const bare = `exists (
        select 1 from chunk c where c.version_id = seen.id and c.level = '${Level.Child}' and not exists (
          select 1 from ${vectorTable(dimension)} v
           where v.knowledge_base_id = seen.knowledge_base_id and v.version_id = seen.id and v.ordinal = c.ordinal))`;
      yield* this.served(`${bare} and ${idle}`, dimension);
    }
  }

  /** Served versions with vectors that belong to none of their children. */
  async *vectorsSurplus(): AsyncGenerator<readonly Id[]> {
    for (const dimension of await this.dimensions()) {
      yield* this.served(`exists (${surplus(dimension, 'seen')})`, dimension);
    }
  }

  /** Removes such vectors of the version that a document serves; false if there were none. */
  async removeSurplus(tx: TransactionContext, documentId: Id): Promise<boolean> {
    await lockDocument(tx, documentId);
    const [version] = await tx.query<{ id: Id; dimension: number }>(
      `select id, dimension from index_version where document_id = $1 and state = ${VersionState.Active}`,
      [documentId],
    );
    if (!version) return false;
    const rows = await tx.query(
      `delete from ${vectorTable(version.dimension)} d
        using index_version s
        where s.id = $1 and d.knowledge_base_id = s.knowledge_base_id and d.version_id = s.id
          and d.ordinal in (${surplus(version.dimension, 's')})
       returning 1`,
      [version.id],
    );
    return rows.length > 0;
  }

  /**
   * Locks the document; gives what its served version was built from. Undefined where building it again is no help:
   * something newer was tried already, or its text is gone.
   */
  async lockServedBuild(tx: TransactionContext, documentId: Id): Promise<ServedBuild | undefined> {
    await lockDocument(tx, documentId);
    const [build] = await tx.query<ServedBuild>(
      `select seen.tenant_id as "tenantId", seen.document_id as "documentId", seen.knowledge_base_id as "knowledgeBaseId",
              b.plan_id as "planId", b.strategy_snapshot as "strategySnapshot", b.build_spec as "buildSpec"
         from index_version seen
         join document d on d.id = seen.document_id and d.active_version_id = seen.id and d.deleted_at is null
         join task b on b.id = seen.task_id and b.task_type in (${TaskType.BuildIndex}, ${TaskType.RebuildIndex})
         join document_text x on x.document_id = seen.document_id and x.revision = seen.text_revision
         join strategy_plan p on p.id = b.plan_id and p.status = 1
        where seen.document_id = $1 and seen.state = ${VersionState.Active}
          and not exists (select 1 from task n where n.tenant_id = seen.tenant_id and n.document_id = seen.document_id
                             and n.task_type in (${indexTaskTypes.join(', ')}) and n.id > b.id)`,
      [documentId],
    );
    return build;
  }

  private served(meant: string, dimension?: number): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'index_version',
      candidates: `state = ${VersionState.Active}${dimension === undefined ? '' : ' and dimension = $3'}`,
      meant,
      gives: 'seen.document_id',
      parameters: dimension === undefined ? [] : [dimension],
    });
  }

  private async dimensions(): Promise<number[]> {
    const rows = await this.database.query<{ dimension: number }>(
      `select distinct dimension from index_version where state = ${VersionState.Active} order by dimension`,
    );
    return rows.map(({ dimension }) => dimension);
  }
}

const surplus = (dimension: number, version: string): string => `
  select v.ordinal from ${vectorTable(dimension)} v
   where v.knowledge_base_id = ${version}.knowledge_base_id and v.version_id = ${version}.id and not exists (
     select 1 from chunk c
      where c.version_id = ${version}.id and c.level = '${Level.Child}' and c.ordinal = v.ordinal)`;
