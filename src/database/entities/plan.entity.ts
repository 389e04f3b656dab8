import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { PlanSource, PlanStatus } from '../../domain/plan/plan-status.js';
import type { PlanFeatures, PlanReason } from '../../domain/plan/recommendation.js';
import type { ExecuteStatus } from '../../domain/plan/step-status.js';
import type { Level, StepParams, Strategy } from '../../domain/plan/strategy.js';

@Entity('strategy_plan')
export class PlanEntity {
  @PrimaryColumn({ type: 'bigint' }) id!: Id;
  @Column({ type: 'bigint', name: 'tenant_id' }) tenantId!: TenantId;
  @Column({ type: 'bigint', name: 'document_id' }) documentId!: Id;
  @Column({ type: 'integer', name: 'plan_no' }) planNo!: number;
  @Column({ type: 'smallint', name: 'plan_status' }) planStatus!: PlanStatus;
  @Column({ type: 'text' }) source!: PlanSource;
  @Column({ type: 'text', name: 'strategy_snapshot' }) strategySnapshot!: string;
  @Column({ type: 'integer', name: 'text_revision' }) textRevision!: number;
  @Column({ type: 'jsonb' }) features!: PlanFeatures;
  @Column({ type: 'jsonb' }) reasons!: PlanReason[];
  @Column({ type: 'bigint', name: 'based_on', nullable: true }) basedOn!: Id | null;
  @Column({ type: 'bigint', name: 'created_by', nullable: true }) createdBy!: Id | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'bigint', name: 'confirmed_by', nullable: true }) confirmedBy!: Id | null;
  @Column({ type: 'timestamptz', name: 'confirmed_at', nullable: true }) confirmedAt!: Date | null;
  /** Logical delete: 1 exists, 0 deleted. */
  @Column({ type: 'smallint' }) status!: 0 | 1;
}

@Entity('strategy_step')
export class PlanStepEntity {
  @PrimaryColumn({ type: 'bigint', name: 'plan_id' }) planId!: Id;
  @PrimaryColumn({ type: 'smallint', name: 'step_no' }) stepNo!: number;
  @Column({ type: 'bigint', name: 'tenant_id' }) tenantId!: TenantId;
  @Column({ type: 'text' }) level!: Level;
  @Column({ type: 'smallint' }) strategy!: Strategy;
  @Column({ type: 'jsonb' }) params!: StepParams;
  @Column({ type: 'smallint', name: 'execute_status' }) executeStatus!: ExecuteStatus;
}
