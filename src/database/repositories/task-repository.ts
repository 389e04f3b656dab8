import type { BuildSpec } from '../../domain/build-spec.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import { freshStages, type StageProgress } from '../../domain/task/progress.js';
import { stagesOf, type Stage } from '../../domain/task/stage.js';
import { TaskStatus } from '../../domain/task/task-status.js';
import type { Actor, TaskType } from '../../domain/task/task-type.js';
import type { Database, TransactionContext } from '../database.js';
import { TaskEntity } from '../entities/task.entity.js';

/** A task as it is accepted. Index tasks carry plan, snapshot and spec; others leave them out. */
export interface NewTask {
  readonly id: Id;
  readonly tenantId: TenantId;
  /** Absent for the deletion of a whole base. */
  readonly documentId?: Id;
  readonly knowledgeBaseId: Id;
  readonly taskType: TaskType;
  readonly currentStage: Stage;
  readonly triggerSource: Actor;
  readonly operatorId?: Id;
  readonly maxRetryCount: number;
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

/** Reads and creates task rows; `task-lease-repository` moves them. */
export class TaskRepository {
  constructor(private readonly database: Database) {}

  async insert(transaction: TransactionContext, task: NewTask): Promise<void> {
    await transaction.query(
      `insert into task (id, tenant_id, document_id, knowledge_base_id, plan_id, task_type, task_status, current_stage,
                         trigger_source, operator_id, strategy_snapshot, build_spec, stages, max_retry_count)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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
      ],
    );
  }

  /** One task of a tenant, deleted documents included. */
  find(tenantId: TenantId, taskId: Id): Promise<TaskEntity | null> {
    return this.database.read((manager) => manager.findOneBy(TaskEntity, { id: taskId, tenantId }));
  }

  /** Newest first. */
  async list(tenantId: TenantId, filter: TaskFilter, page: PageRequest): Promise<Page<TaskEntity>> {
    const rows = await this.database.read((manager) => {
      const query = manager
        .createQueryBuilder(TaskEntity, 'task')
        .where('task.tenantId = :tenantId', { tenantId })
        .orderBy('task.id', 'DESC')
        .limit(page.limit + 1);
      if (page.after) query.andWhere('task.id < :after', { after: page.after });
      if (filter.documentId) query.andWhere('task.documentId = :documentId', { documentId: filter.documentId });
      if (filter.taskStatus) query.andWhere('task.taskStatus = :taskStatus', { taskStatus: filter.taskStatus });
      if (filter.taskType) query.andWhere('task.taskType = :taskType', { taskType: filter.taskType });
      if (filter.batchId) query.andWhere('task.batchId = :batchId', { batchId: filter.batchId });
      return query.getMany();
    });
    return pageOf(rows, page.limit, (task) => task.id);
  }

  /** How many tasks of the same kind wait in front of a waiting one. */
  async queuePosition(task: Pick<TaskEntity, 'id' | 'taskType'>): Promise<number> {
    const [row] = await this.database.query<{ ahead: number }>(
      `select count(*)::int as ahead from task
        where task_status = $1 and (task_type = 1) = ($2::int = 1) and id < $3`,
      [TaskStatus.New, task.taskType, task.id],
    );
    return row?.ahead ?? 0;
  }
}
