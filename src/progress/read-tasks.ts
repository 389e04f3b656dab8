import type { TaskLogRepository, TaskLogRow } from '../database/repositories/task-log-repository.js';
import type { TaskFilter, TaskRepository, WatchedTask } from '../database/repositories/task-repository.js';
import type { WorkerRepository } from '../database/repositories/worker-repository.js';
import type { TaskEntity } from '../database/entities/task.entity.js';
import type { Clock } from '../domain/clock.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { Page, PageRequest } from '../domain/page.js';
import { isFinal, TaskStatus } from '../domain/task/task-status.js';
import { groupOf, typesOfGroup } from '../messaging/topic.js';
import type { FinishedTasks } from './finished-tasks.js';
import { taskView, type TaskView } from './task-view.js';

/** What people see of tasks while they wait. */
export class ReadTasks {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly logs: TaskLogRepository,
    private readonly workers: Pick<WorkerRepository, 'aliveByGroup'>,
    private readonly clock: Clock,
    /** When a running task that gets no further counts as stalled, in ms. */
    private readonly stalledAfterMs: number,
    private readonly finished?: FinishedTasks,
  ) {}

  /** One statement for a task that is worked on or over; two more for one that waits. @throws AppError TASK_NOT_FOUND. */
  async get(tenantId: TenantId, taskId: Id): Promise<TaskView> {
    return (await this.finished?.find(tenantId, taskId)) ?? this.look(tenantId, taskId);
  }

  /** Newest first; without positions, which would cost a statement each. */
  async list(tenantId: TenantId, filter: TaskFilter, page: PageRequest): Promise<Page<TaskView>> {
    const { items, next } = await this.tasks.list(tenantId, filter, page, this.stalledAfterMs);
    const waits = items.some(({ task }) => task.taskStatus === TaskStatus.New);
    const alive = waits ? await this.workers.aliveByGroup() : undefined;
    const views = items.map(({ task, stalled }) => {
      const starved = alive !== undefined && !alive.has(groupOf(task.taskType));
      return taskView(task, { stalled, starved }, this.clock.now());
    });
    return { items: views, next };
  }

  /** The task's history, oldest first. @throws AppError TASK_NOT_FOUND. */
  async listLogs(tenantId: TenantId, taskId: Id, page: PageRequest): Promise<Page<TaskLogRow>> {
    await this.require(tenantId, taskId);
    return this.logs.list(tenantId, taskId, page);
  }

  private async look(tenantId: TenantId, taskId: Id): Promise<TaskView> {
    const { task, stalled } = await this.require(tenantId, taskId);
    if (task.taskStatus === TaskStatus.New) return this.lookAtNew(task, stalled);
    const view = taskView(task, { stalled }, this.clock.now());
    // A status that no move leads out of: whatever is remembered from now on cannot be older than the row.
    if (isFinal(task.taskStatus)) void this.finished?.keep(tenantId, view);
    return view;
  }

  private async lookAtNew(task: TaskEntity, stalled: boolean): Promise<TaskView> {
    const group = groupOf(task.taskType);
    const position = await this.tasks.queuePosition(task, typesOfGroup(group));
    const starved = !(await this.workers.aliveByGroup()).has(group);
    return taskView(task, { stalled, starved, position }, this.clock.now());
  }

  private async require(tenantId: TenantId, taskId: Id): Promise<WatchedTask> {
    const watched = await this.tasks.findWatched(tenantId, taskId, this.stalledAfterMs);
    if (!watched) throw new AppError('TASK_NOT_FOUND', 'There is no such task.');
    return watched;
  }
}
