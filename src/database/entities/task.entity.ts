import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BuildSpec } from '../../domain/build-spec.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { StageProgress, TaskFailure } from '../../domain/task/progress.js';
import type { Stage } from '../../domain/task/stage.js';
import type { TaskPriority } from '../../domain/task/task-priority.js';
import type { TaskStatus } from '../../domain/task/task-status.js';
import type { Actor, TaskType } from '../../domain/task/task-type.js';

@Entity('task')
export class TaskEntity {
  @PrimaryColumn({ type: 'bigint' }) id!: Id;
  @Column({ type: 'bigint', name: 'tenant_id' }) tenantId!: TenantId;
  /** Null for the deletion of a whole base. */
  @Column({ type: 'bigint', name: 'document_id', nullable: true }) documentId!: Id | null;
  @Column({ type: 'bigint', name: 'knowledge_base_id' }) knowledgeBaseId!: Id;
  @Column({ type: 'bigint', name: 'plan_id', nullable: true }) planId!: Id | null;
  @Column({ type: 'bigint', name: 'batch_id', nullable: true }) batchId!: Id | null;
  @Column({ type: 'smallint', name: 'task_type' }) taskType!: TaskType;
  /** Null where an older process made the task: it is what its type is then. */
  @Column({ type: 'smallint', nullable: true }) priority!: TaskPriority | null;
  @Column({ type: 'smallint', name: 'task_status' }) taskStatus!: TaskStatus;
  @Column({ type: 'smallint', name: 'current_stage' }) currentStage!: Stage;
  @Column({ type: 'smallint', name: 'trigger_source' }) triggerSource!: Actor;
  @Column({ type: 'bigint', name: 'operator_id', nullable: true }) operatorId!: Id | null;
  @Column({ type: 'text', name: 'strategy_snapshot', nullable: true }) strategySnapshot!: string | null;
  @Column({ type: 'jsonb', name: 'build_spec', nullable: true }) buildSpec!: BuildSpec | null;
  @Column({ type: 'jsonb' }) stages!: StageProgress[];
  @Column({ type: 'integer', name: 'retry_count' }) retryCount!: number;
  @Column({ type: 'integer', name: 'max_retry_count' }) maxRetryCount!: number;
  @Column({ type: 'integer' }) attempt!: number;
  @Column({ type: 'text', name: 'worker_id', nullable: true }) workerId!: string | null;
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true }) leaseUntil!: Date | null;
  @Column({ type: 'timestamptz', name: 'next_retry_at', nullable: true }) nextRetryAt!: Date | null;
  @Column({ type: 'jsonb', nullable: true }) error!: TaskFailure | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'started_at', nullable: true }) startedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true }) finishedAt!: Date | null;
}
