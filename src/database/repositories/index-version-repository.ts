import { IndexStatus, indexStatusMoves } from '../../domain/document/index-status.js';
import { sourcesOf } from '../../domain/coded-value.js';
import type { BuildSpec } from '../../domain/build-spec.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id } from '../../domain/ids/id.js';
import { ExecuteStatus } from '../../domain/plan/step-status.js';
import { liveTaskStatuses, TaskStatus } from '../../domain/task/task-status.js';
import { indexTaskTypes } from '../../domain/task/task-type.js';
import type { Coverage } from '../../domain/text/chunk.js';
import type { Database, TransactionContext } from '../database.js';
import { scanRows } from './drift/row-scan.js';
import type { ClaimedTask } from './task-lease-repository.js';

/** States of an index version; internal, never answered. */
export const VersionState = {
  /** Being written by its task; nobody sees it. */
  Writing: 1,
  /** The one that is served. */
  Active: 2,
  /** Replaced; upkeep removes it. */
  Retired: 3,
} as const;

export interface IndexVersion {
  readonly id: Id;
  readonly version: number;
  readonly state: (typeof VersionState)[keyof typeof VersionState];
  readonly parentCount: number;
  readonly childCount: number;
}

export interface VersionCounts {
  readonly parentCount: number;
  readonly childCount: number;
  readonly tokenCount: number;
  readonly coverage: Coverage;
}

export type VersionTask = Pick<ClaimedTask, 'id' | 'tenantId' | 'documentId' | 'knowledgeBaseId' | 'planId'>;

const columns = `id, version, state, parent_count as "parentCount", child_count as "childCount"`;

/** Index versions of documents: written aside, switched in one transaction, dropped later. */
export class IndexVersionRepository {
  constructor(private readonly database: Database) {}

  /** The version that a task writes; made on first call, the same on every later one. */
  async openFor(tx: TransactionContext, newId: Id, task: VersionTask, spec: BuildSpec): Promise<IndexVersion> {
    await tx.query(
      `insert into index_version (id, tenant_id, document_id, knowledge_base_id, version, task_id, plan_id,
                                  text_revision, source_hash, model_id, dimension, state)
       select $1, $2, $3, $4, coalesce(max(version), 0) + 1, $5, $6, $7, $8, $9, $10, ${VersionState.Writing}
         from index_version where document_id = $3
       on conflict (task_id) do nothing`,
      [
        newId,
        task.tenantId,
        task.documentId,
        task.knowledgeBaseId,
        task.id,
        task.planId,
        spec.textRevision,
        spec.sourceHash,
        spec.model.id,
        spec.model.dimension,
      ],
    );
    return this.ofTask(tx, task.id);
  }

  async ofTask(sql: TransactionContext | Database, taskId: Id): Promise<IndexVersion> {
    const [version] = await sql.query<IndexVersion>(`select ${columns} from index_version where task_id = $1`, [
      taskId,
    ]);
    if (!version) throw new Error(`task ${taskId} has no index version`);
    return version;
  }

  async recordCounts(tx: TransactionContext, versionId: Id, counts: VersionCounts): Promise<void> {
    await tx.query(
      `update index_version set parent_count = $2, child_count = $3, token_count = $4, coverage = $5 where id = $1`,
      [versionId, counts.parentCount, counts.childCount, counts.tokenCount, JSON.stringify(counts.coverage)],
    );
  }

  /** Makes `version` the one that is served and retires the one before. The document must be locked. */
  async activate(tx: TransactionContext, documentId: Id, versionId: Id): Promise<void> {
    await tx.query(
      `update index_version set state = ${VersionState.Retired}
        where document_id = $1 and state = ${VersionState.Active} and id <> $2`,
      [documentId, versionId],
    );
    await tx.query(
      `update index_version set state = ${VersionState.Active}, activated_at = coalesce(activated_at, now()) where id = $1`,
      [versionId],
    );
    const rows = await tx.query(
      `update document set active_version_id = $2, index_status = ${IndexStatus.Built}, error = null, updated_at = now()
        where id = $1 and deleted_at is null and index_status = any($3) returning 1`,
      [documentId, versionId, sourcesOf(indexStatusMoves, IndexStatus.Built)],
    );
    if (rows.length !== 1) throw new Error(`document ${documentId} could not move to BUILT`);
  }

  /** The newest build of the document failed, with the steps that were running; what is served stays. */
  async failBuild(tx: TransactionContext, documentId: Id, planId: Id | null, failure: FailureRecord): Promise<void> {
    await tx.query(
      `with steps as (
         update strategy_step set execute_status = ${ExecuteStatus.Failed}
          where plan_id = $4 and execute_status = ${ExecuteStatus.Running}
       )
       update document set index_status = ${IndexStatus.BuildFailed}, error = $2, updated_at = now()
        where id = $1 and index_status = any($3)`,
      [documentId, JSON.stringify(failure), sourcesOf(indexStatusMoves, IndexStatus.BuildFailed), planId],
    );
  }

  /**
   * Versions that nobody will read or write again, and have not for `idleMs`, a bounded number at a time: replaced ones,
   * and ones whose task is over without a switch and cannot be retried.
   */
  leftOver(idleMs: number): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'index_version',
      candidates: `state <> ${VersionState.Active}`,
      joins: `join task t on t.id = seen.task_id join document d on d.id = seen.document_id
              left join index_version a on a.id = d.active_version_id`,
      meant: `${unwanted('seen', 't')}
        and greatest(d.deleted_at, a.activated_at, t.finished_at, seen.created_at)
            <= clock_timestamp() - $3 * interval '1 ms'`,
      parameters: [idleMs],
    });
  }

  /** One of them, if it still is. */
  async droppable(versionId: Id): Promise<{ id: Id; dimension: number; knowledgeBaseId: Id } | undefined> {
    const [version] = await this.database.query<{ id: Id; dimension: number; knowledgeBaseId: Id }>(
      `select v.id, v.dimension, v.knowledge_base_id as "knowledgeBaseId" from index_version v
         join task t on t.id = v.task_id where v.id = $1 and ${unwanted('v', 't')}`,
      [versionId],
    );
    return version;
  }

  async forget(tx: TransactionContext, versionId: Id): Promise<void> {
    await tx.query('delete from index_version where id = $1 and state <> $2', [versionId, VersionState.Active]);
  }
}

/** A task that failed keeps its version while it is the newest of its document: it may be retried, and goes on with it. */
const unwanted = (version: string, task: string): string => `(
  ${version}.state = ${VersionState.Retired}
  or ${version}.state = ${VersionState.Writing} and ${task}.task_status not in (${liveTaskStatuses.join(', ')})
     and (${task}.task_status not in (${TaskStatus.Failed}, ${TaskStatus.Timeout})
          or exists (select 1 from task n where n.tenant_id = ${version}.tenant_id and n.document_id = ${version}.document_id
                        and n.task_type in (${indexTaskTypes.join(', ')}) and n.id > ${task}.id)))`;
