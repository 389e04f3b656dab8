import type { Id, TenantId } from '../domain/ids/id.js';
import type { TaskView } from './task-view.js';

/**
 * Remembers tasks that will never change again, so that looking at one need not cost a statement. It may forget any of
 * them at any time. Nothing here rejects, and every wait has a bound.
 */
export interface FinishedTasks {
  find(tenantId: TenantId, taskId: Id): Promise<TaskView | undefined>;
  keep(tenantId: TenantId, task: TaskView): Promise<void>;
}
