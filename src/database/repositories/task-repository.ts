import { In, type SelectQueryBuilder } from 'typeorm';
import type { BuildSpec } from '../../domain/build-spec.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import type { CarriedTrace } from '../../domain/carried-trace.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import { freshStages, type StageProgress } from '../../domain/task/progress.js';
import { stagesOf, type Stage } from '../../domain/task/stage.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import { priorityByType, type TaskPriority } from '../../domain/task/task-priority.js';
import type { Actor, TaskType } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';
import { prioritySql } from '../priority-sql.js';
import { TaskEntity } from '../entities/task.entity.js';

/** A task as it is accepted. Index tasks carry plan, snapshot and spec; others leave them out. */
export interface NewTask {
  readonly id: Id;
  readonly tenantId: TenantId;
  /** Absent for the deletion of a whole base. */
  readonly documentId?: Id;
  readonly knowledgeBaseId: Id;
  readonly taskType: TaskType;
  readonly priority: TaskPriority;
  readonly currentStage: Stage;
  readonly triggerSource: Actor;
  readonly operatorId?: Id;
  readonly maxRetryCount: number;
  readonly trace: CarriedTrace;
  readonly planId?: Id;
  readonly strategySnapshot?: string;
  readonly buildSpec?: BuildSpec;
  /** Stages as they stand at acceptance; all waiting unless given. */
  readonly stages?: readonly StageProgress[];
}

export interface TaskFilter {
  readonly documentId?: Id;
  readonly taskStatus?: TaskStatus;
  readonly taskType?: TaskType;
  readonly batchId?: Id;
}

/** A task, and whether it is in hands that do not get on with it. */
export interface WatchedTask {
  readonly task: TaskEntity;
  readonly stalled: boolean;
}

const stalledSql = `task.task_status = ${TaskStatus.Running} and (task.lease_until < clock_timestamp()
  or coalesce(task.progressed_at < clock_timestamp() - :stalledAfterMs * interval '1 ms', false))`;

/** Reads and creates task rows; `task-lease-repository` moves them. */
export class TaskRepository {
  constructor(private readonly database: Database) {}

  async insert(transaction: TransactionContext, task: NewTask): Promise<void> {
    await transaction.query(
      `insert into task (id, tenant_id, document_id, knowledge_base_id, plan_id, task_type, task_status, current_stage,
                         trigger_source, operator_id, strategy_snapshot, build_spec, stages, max_retry_count, priority, trace)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
      [
        task.id,
        task.tenantId,
        task.documentId ?? null,
        task.knowledgeBaseId,
        task.planId ?? null,
        task.taskType,
        TaskStatus.New,
        task.currentStage,
        task.triggerSource,
        task.operatorId ?? null,
        task.strategySnapshot ?? null,
        task.buildSpec ? JSON.stringify(task.buildSpec) : null,
        JSON.stringify(task.stages ?? freshStages(stagesOf(task.taskType))),
        task.maxRetryCount,
        task.priority,
        JSON.stringify(task.trace),
      ],
    );
  }

  /** One task of a tenant, deleted documents included. */
  find(tenantId: TenantId, taskId: Id): Promise<TaskEntity | null> {
    return this.database.read((manager) => manager.findOneBy(TaskEntity, { id: taskId, tenantId }));
  }

  /** The same, with whether it gets on. */
  async findWatched(tenantId: TenantId, taskId: Id, stalledAfterMs: number): Promise<WatchedTask | undefined> {
    const [task] = await this.watch(stalledAfterMs, (query) =>
      query.where('task.id = :taskId and task.tenantId = :tenantId', { taskId, tenantId }),
    );
    return task;
  }

  /** Those of the tasks that are there, in no order. For callers that know whose they are. */
  findAll(taskIds: readonly Id[]): Promise<TaskEntity[]> {
    return this.database.read((manager) => manager.findBy(TaskEntity, { id: In([...taskIds]) }));
  }

  /** Newest first. */
  async list(
    tenantId: TenantId,
    filter: TaskFilter,
    page: PageRequest,
    stalledAfterMs: number,
  ): Promise<Page<WatchedTask>> {
    const rows = await this.watch(stalledAfterMs, (query) => {
      query
        .where('task.tenantId = :tenantId', { tenantId })
        .orderBy('task.id', 'DESC')
        .limit(page.limit + 1);
      if (page.after) query.andWhere('task.id < :after', { after: page.after });
      if (filter.documentId) query.andWhere('task.documentId = :documentId', { documentId: filter.documentId });
      if (filter.taskStatus) query.andWhere('task.taskStatus = :taskStatus', { taskStatus: filter.taskStatus });
      if (filter.taskType) query.andWhere('task.taskType = :taskType', { taskType: filter.taskType });
      if (filter.batchId) query.andWhere('task.batchId = :batchId', { batchId: filter.batchId });
      return query;
    });
    return pageOf(rows, page.limit, ({ task }) => task.id);
  }

  /** Reads tasks, and by the database's time whether they are stalled, in one statement. */
  private async watch(
    stalledAfterMs: number,
    narrow: (query: SelectQueryBuilder<TaskEntity>) => SelectQueryBuilder<TaskEntity>,
  ): Promise<WatchedTask[]> {
    const { entities, raw } = await this.database.read((manager) =>
      narrow(manager.createQueryBuilder(TaskEntity, 'task').addSelect(stalledSql, 'stalled'))
        .setParameter('stalledAfterMs', stalledAfterMs)
        .getRawAndEntities<{ stalled: boolean }>(),
    );
    return entities.map((task, i) => ({ task, stalled: raw[i]?.stalled ?? false }));
  }

  /** How many new tasks that the same workers take come before this one: the more urgent ones, and older ones as urgent. */
  async queuePosition(
    { id, taskType, priority }: Pick<TaskEntity, 'id' | 'taskType' | 'priority'>,
    sameKind: readonly TaskType[],
  ): Promise<number> {
    const [row] = await this.database.query<{ ahead: number }>(
      `select count(*)::int as ahead from task t
        where task_status = $1 and task_type = any($2)
          and (${prioritySql('t')} < $4 or ${prioritySql('t')} = $4 and id < $3)`,
      [TaskStatus.New, sameKind, id, priority ?? priorityByType(taskType)],
    );
    return row?.ahead ?? 0;
  }
}
