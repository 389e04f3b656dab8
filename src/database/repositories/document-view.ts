import type { IndexStatus } from '../../domain/document/index-status.js';
import type { ParseStatus } from '../../domain/document/parse-status.js';
import type { StrategyStatus } from '../../domain/document/strategy-status.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id } from '../../domain/ids/id.js';
import type { ParseWarning } from '../../domain/text/block.js';

/** A document as people see it, in codes. Counts are those of the served version. */
export interface DocumentView {
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
  readonly title: string;
  readonly fileName: string;
  readonly mediaType: string;
  /** 64-bit, in decimal. */
  readonly sizeBytes: string;
  readonly sourceHash: string;
  readonly encoding: string | null;
  readonly encodingConfidence: number | null;
  readonly language: string | null;
  readonly parseStatus: ParseStatus;
  readonly strategyStatus: StrategyStatus;
  readonly indexStatus: IndexStatus;
  readonly currentPlanId: Id | null;
  readonly textRevision: number;
  readonly activeVersion: number | null;
  readonly activeTextRevision: number | null;
  /** True when source, text, plan or model moved on since the served version was built. */
  readonly stale: boolean;
  readonly chunkCount: number;
  readonly tokenCount: string;
  readonly parseWarnings: readonly ParseWarning[];
  readonly error: FailureRecord | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whether source, text, plan or model of document d in base b moved on since its version v was built. */
export const staleSql = `(v.source_hash <> d.source_hash or v.text_revision <> d.text_revision
                  or v.plan_id is distinct from d.current_plan_id or v.model_id <> b.embedding_model)`;

/** Selects views of a tenant's documents ($1); conditions follow with `and`. */
export const documentViewSql = `
  select d.id as "documentId", d.knowledge_base_id as "knowledgeBaseId", d.title, d.file_name as "fileName",
         d.media_type as "mediaType", d.size_bytes as "sizeBytes", d.source_hash as "sourceHash", d.encoding,
         d.encoding_confidence as "encodingConfidence", d.language, d.parse_status as "parseStatus",
         d.strategy_status as "strategyStatus", d.index_status as "indexStatus", d.current_plan_id as "currentPlanId",
         d.text_revision as "textRevision", v.version as "activeVersion", v.text_revision as "activeTextRevision",
         coalesce(${staleSql}, false) as stale,
         coalesce(v.child_count, 0) as "chunkCount", coalesce(v.token_count, 0) as "tokenCount",
         d.parse_warnings as "parseWarnings", d.error, d.created_at as "createdAt", d.updated_at as "updatedAt"
    from document d
    join knowledge_base b on b.id = d.knowledge_base_id
    left join index_version v on v.id = d.active_version_id
   where d.tenant_id = $1 and d.deleted_at is null`;
