import type { TransactionContext } from '../database/database.js';
import type { OutboxRepository } from '../database/repositories/outbox-repository.js';
import type { TaskLogRepository } from '../database/repositories/task-log-repository.js';
import type { NewTask, TaskRepository } from '../database/repositories/task-repository.js';
import type { Id } from '../domain/ids/id.js';
import { Stage } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { Actor, TaskType } from '../domain/task/task-type.js';
import { taskMessage } from '../messaging/task-message.js';
import { presentTrace } from '../tracing/trace-scope.js';

export interface DeletionParts {
  readonly tasks: TaskRepository;
  readonly logs: TaskLogRepository;
  readonly outbox: OutboxRepository;
  readonly ids: { next(): Id };
}

export interface DeletionOptions {
  readonly maxRetryCount: number;
  /** Told when there is something to send, so that it need not wait for the relay's next look. */
  readonly onOutbox: () => void;
}

/** Makes the task that removes what is left of a deleted document or base, with its START line and its message. */
export async function startDeletion(
  tx: TransactionContext,
  parts: DeletionParts,
  options: DeletionOptions,
  owner: Pick<NewTask, 'tenantId' | 'documentId' | 'knowledgeBaseId' | 'priority'>,
  operatorId?: Id,
): Promise<Id> {
  const operator = operatorId ? { operatorId } : {};
  const task: NewTask = {
    ...owner,
    id: parts.ids.next(),
    taskType: TaskType.DeleteIndex,
    currentStage: Stage.IndexWrite,
    triggerSource: operatorId ? Actor.User : Actor.System,
    ...operator,
    maxRetryCount: options.maxRetryCount,
    trace: presentTrace(),
  };
  const { id: taskId, tenantId, currentStage: stage } = task;
  await parts.tasks.insert(tx, task);
  await parts.logs.append(tx, { tenantId, taskId, stage, event: TaskEvent.Start, ...operator });
  await parts.outbox.append(tx, [taskMessage({ ...task, documentId: task.documentId ?? task.knowledgeBaseId })]);
  tx.afterCommit(options.onOutbox);
  return taskId;
}
