import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IndexStatus } from '../../domain/document/index-status.js';
import type { ParseStatus } from '../../domain/document/parse-status.js';
import type { StrategyStatus } from '../../domain/document/strategy-status.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { ParseWarning } from '../../domain/text/block.js';

@Entity('document')
export class DocumentEntity {
  @PrimaryColumn({ type: 'bigint' }) id!: Id;
  @Column({ type: 'bigint', name: 'tenant_id' }) tenantId!: TenantId;
  @Column({ type: 'bigint', name: 'knowledge_base_id' }) knowledgeBaseId!: Id;
  @Column({ type: 'text' }) title!: string;
  @Column({ type: 'text', name: 'file_name' }) fileName!: string;
  @Column({ type: 'text', name: 'media_type' }) mediaType!: string;
  @Column({ type: 'bigint', name: 'size_bytes' }) sizeBytes!: string;
  @Column({ type: 'text', name: 'source_hash' }) sourceHash!: string;
  @Column({ type: 'text', name: 'source_key' }) sourceKey!: string;
  @Column({ type: 'text', nullable: true }) encoding!: string | null;
  @Column({ type: 'real', name: 'encoding_confidence', nullable: true }) encodingConfidence!: number | null;
  @Column({ type: 'text', nullable: true }) language!: string | null;
  @Column({ type: 'smallint', name: 'parse_status' }) parseStatus!: ParseStatus;
  @Column({ type: 'smallint', name: 'strategy_status' }) strategyStatus!: StrategyStatus;
  @Column({ type: 'smallint', name: 'index_status' }) indexStatus!: IndexStatus;
  @Column({ type: 'bigint', name: 'current_plan_id', nullable: true }) currentPlanId!: Id | null;
  @Column({ type: 'integer', name: 'text_revision' }) textRevision!: number;
  @Column({ type: 'bigint', name: 'active_version_id', nullable: true }) activeVersionId!: Id | null;
  @Column({ type: 'jsonb', name: 'parse_warnings' }) parseWarnings!: ParseWarning[];
  @Column({ type: 'jsonb', nullable: true }) error!: FailureRecord | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at' }) updatedAt!: Date;
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
}
