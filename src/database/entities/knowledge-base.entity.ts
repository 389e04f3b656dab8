import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Id, TenantId } from '../../domain/ids/id.js';

@Entity('knowledge_base')
export class KnowledgeBaseEntity {
  @PrimaryColumn({ type: 'bigint' }) id!: Id;
  @Column({ type: 'bigint', name: 'tenant_id' }) tenantId!: TenantId;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text', nullable: true }) description!: string | null;
  @Column({ type: 'text', name: 'embedding_model' }) embeddingModel!: string;
  @Column({ type: 'text', nullable: true }) language!: string | null;
  @Column({ type: 'boolean', name: 'is_default' }) isDefault!: boolean;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at' }) updatedAt!: Date;
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
}
