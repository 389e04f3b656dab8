import type { Database } from '../database/database.js';
import type { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';

/** Stops a live task. Its row says so at once; whoever works on it notices at the next write or heartbeat. */
export class CancelTask {
  constructor(
    private readonly database: Database,
    private readonly commands: TaskCommandRepository,
  ) {}

  /** @throws AppError TASK_NOT_FOUND; TASK_FINISHED for a task that is over or that deletes. */
  cancel(tenantId: TenantId, taskId: Id, operatorId?: Id): Promise<void> {
    return this.database.transaction(async (tx) => {
      const ownerId = await this.commands.lockOwnerOf(tx, tenantId, taskId);
      if (ownerId === undefined) throw new AppError('TASK_NOT_FOUND', 'There is no such task.');
      const [cancelled] = await this.commands.cancel(tx, tenantId, { taskId }, operatorId);
      if (!cancelled) throw new AppError('TASK_FINISHED', 'The task is over, or cannot be stopped any more.');
    });
  }
}
