import type { TransactionContext } from '../database/database.js';
import type { OutboxRepository } from '../database/repositories/outbox-repository.js';
import type { TaskLogRepository } from '../database/repositories/task-log-repository.js';
import type { NewTask, TaskRepository } from '../database/repositories/task-repository.js';
import type { Clock } from '../domain/clock.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { ExecuteStatus } from '../domain/plan/step-status.js';
import { freshStages, type StageProgress } from '../domain/task/progress.js';
import type { TaskPriority } from '../domain/task/task-priority.js';
import { Stage, stagesOf } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { Actor, TaskType } from '../domain/task/task-type.js';
import { taskMessage } from '../messaging/task-message.js';
import { presentTrace } from '../tracing/trace-scope.js';

/** A parse that is to begin. */
export interface ParseOrder {
  readonly taskId: Id;
  readonly tenantId: TenantId;
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
  readonly priority: TaskPriority;
  readonly operatorId?: Id;
}

export interface ParseTaskOptions {
  readonly maxRetryCount: number;
  /** Told when there is something to send, so that it need not wait for the relay's next look. */
  readonly onOutbox: () => void;
}

/** Makes parse tasks as part of whatever brought a source: task, START line and message in the caller's transaction. */
export class ParseTasks {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly logs: TaskLogRepository,
    private readonly outbox: OutboxRepository,
    /** For the times that a task shows. */
    private readonly clock: Clock,
    private readonly options: ParseTaskOptions,
  ) {}

  async start(tx: TransactionContext, order: ParseOrder): Promise<void> {
    const { taskId, tenantId, documentId, knowledgeBaseId, priority } = order;
    const operator = order.operatorId ? { operatorId: order.operatorId } : {};
    const task: NewTask & { readonly documentId: Id } = {
      id: taskId,
      tenantId,
      documentId,
      knowledgeBaseId,
      taskType: TaskType.ParseDocument,
      priority,
      currentStage: Stage.ContentParse,
      triggerSource: order.operatorId ? Actor.User : Actor.System,
      ...operator,
      maxRetryCount: this.options.maxRetryCount,
      trace: presentTrace(),
      stages: stagesAfterUpload(new Date(this.clock.now()).toISOString()),
    };
    await this.tasks.insert(tx, task);
    await this.logs.append(tx, { tenantId, taskId, stage: Stage.FileUpload, event: TaskEvent.Start, ...operator });
    await this.outbox.append(tx, [taskMessage(task)]);
    tx.afterCommit(this.options.onOutbox);
  }
}

/** The stages of a parse task whose file has arrived. */
function stagesAfterUpload(at: string): StageProgress[] {
  return freshStages(stagesOf(TaskType.ParseDocument)).map((progress) =>
    progress.stage === Stage.FileUpload
      ? { ...progress, status: ExecuteStatus.Success, done: 1, total: 1, startedAt: at, finishedAt: at }
      : progress,
  );
}
