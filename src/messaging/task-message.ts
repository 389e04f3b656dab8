import type { CarriedTrace } from '../domain/carried-trace.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { TaskPriority } from '../domain/task/task-priority.js';
import { taskTypeTable, type TaskType } from '../domain/task/task-type.js';
import { hopOf } from '../tracing/trace-scope.js';
import type { OutgoingMessage } from './message-publisher.js';
import { messageSchemaVersion, topicOf } from './topic.js';

export interface AnnouncedTask {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly planId?: Id | null;
  readonly taskType: TaskType;
  readonly priority: TaskPriority;
  readonly retryCount?: number;
  /** The trace that it belongs to; null where an older process made it. */
  readonly trace: CarriedTrace | null;
}

/** The message that points a worker at a task. */
export function taskMessage(task: AnnouncedTask): OutgoingMessage {
  return {
    topic: topicOf(task.taskType, task.priority),
    key: task.documentId,
    value: {
      documentId: task.documentId,
      taskId: task.id,
      ...(task.planId ? { planId: task.planId } : {}),
    },
    headers: {
      'x-task-type': taskTypeTable[task.taskType].name,
      'x-task-id': task.id,
      'x-tenant-id': task.tenantId,
      'x-priority': task.priority === TaskPriority.Bulk ? 'bulk' : 'interactive',
      'x-source': 'indexwright',
      'x-timestamp': new Date().toISOString(),
      'x-retry-count': String(task.retryCount ?? 0),
      'x-schema-version': String(messageSchemaVersion),
      ...hopOf(task.trace),
    },
  };
}
