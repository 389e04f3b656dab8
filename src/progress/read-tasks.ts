import type { TaskLogRepository, TaskLogRow } from '../database/repositories/task-log-repository.js';
import type { TaskFilter, TaskRepository } from '../database/repositories/task-repository.js';
import type { TaskEntity } from '../database/entities/task.entity.js';
import type { Clock } from '../domain/clock.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { Page, PageRequest } from '../domain/page.js';
import { TaskStatus } from '../domain/task/task-status.js';
import { taskView, type TaskView } from './task-view.js';

/** What people see of tasks while they wait. */
export class ReadTasks {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly logs: TaskLogRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError TASK_NOT_FOUND. */
  async get(tenantId: TenantId, taskId: Id): Promise<TaskView> {
    const task = await this.require(tenantId, taskId);
    const position = task.taskStatus === TaskStatus.New ? await this.tasks.queuePosition(task) : undefined;
    return taskView(task, position, this.clock.now());
  }

  /** Newest first; without positions, which would cost a statement each. */
  async list(tenantId: TenantId, filter: TaskFilter, page: PageRequest): Promise<Page<TaskView>> {
    const { items, next } = await this.tasks.list(tenantId, filter, page);
    return { items: items.map((task) => taskView(task, undefined, this.clock.now())), next };
  }

  /** The task's history, oldest first. @throws AppError TASK_NOT_FOUND. */
  async listLogs(tenantId: TenantId, taskId: Id, page: PageRequest): Promise<Page<TaskLogRow>> {
    await this.require(tenantId, taskId);
    return this.logs.list(tenantId, taskId, page);
  }

  private async require(tenantId: TenantId, taskId: Id): Promise<TaskEntity> {
    const task = await this.tasks.find(tenantId, taskId);
    if (!task) throw new AppError('TASK_NOT_FOUND', 'There is no such task.');
    return task;
  }
}
