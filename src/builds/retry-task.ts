import type { Database, TransactionContext } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { RetryFacts, TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { TaskStatus } from '../domain/task/task-status.js';
import type { MessagePublisher } from '../messaging/message-publisher.js';
import { taskMessage, type AnnouncedTask } from '../messaging/task-message.js';
import { presentTrace } from '../tracing/trace-scope.js';

/** Has a failed task run again from where it failed. Its message is with the broker when this resolves. */
export class RetryTask {
  constructor(
    private readonly database: Database,
    private readonly commands: TaskCommandRepository,
    private readonly publisher: MessagePublisher,
    private readonly sendDeadlineMs: number,
  ) {}

  /**
   * Gives the task's id.
   *
   * @throws AppError TASK_NOT_FOUND, TASK_NOT_RETRYABLE, BUILD_IN_PROGRESS, TASK_SUPERSEDED, in this order;
   *   BROKER_UNAVAILABLE, and nothing has changed then.
   */
  retry(tenantId: TenantId, taskId: Id, operatorId?: Id, once?: Once): Promise<Id> {
    return this.database.transaction((tx) => this.retryIn(tx, tenantId, taskId, operatorId), once);
  }

  /** The same as part of the caller's transaction, which must hold no lock of a task before. */
  async retryIn(tx: TransactionContext, tenantId: TenantId, taskId: Id, operatorId?: Id): Promise<Id> {
    const ownerId = await this.commands.lockOwnerOf(tx, tenantId, taskId);
    if (ownerId === undefined) throw new AppError('TASK_NOT_FOUND', 'There is no such task.');
    const facts = await this.commands.retryFacts(tx, tenantId, taskId);
    const refusal = refusalOfRetry(facts);
    if (refusal) throw refusal;
    const trace = presentTrace();
    await this.commands.retry(tx, tenantId, facts, trace, operatorId);
    await this.send(tx, { ...facts, id: taskId, tenantId, trace });
    return taskId;
  }

  private send(tx: TransactionContext, task: AnnouncedTask): Promise<void> {
    const message = taskMessage({ ...task, retryCount: 0 });
    return this.publisher.publish([message], { transaction: tx, deadlineMs: this.sendDeadlineMs });
  }
}

/** What keeps a task from being retried, by the first rule that does; nothing if it can be. */
export function refusalOfRetry({ taskStatus, liveTaskId, newerExists, stillMeant }: RetryFacts): AppError | undefined {
  if (taskStatus !== TaskStatus.Failed && taskStatus !== TaskStatus.Timeout) {
    return new AppError('TASK_NOT_RETRYABLE', 'Only a task that failed or timed out can be retried.');
  }
  if (liveTaskId) {
    return new AppError('BUILD_IN_PROGRESS', 'Another task of the document is live.', { taskId: liveTaskId });
  }
  if (newerExists || !stillMeant) {
    return new AppError('TASK_SUPERSEDED', 'A newer task, plan or source of the document has taken its place.');
  }
  return undefined;
}
