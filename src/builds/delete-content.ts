import type { Database, TransactionContext } from '../database/database.js';
import type { DeletionRepository } from '../database/repositories/deletion-repository.js';
import type { OutboxRepository } from '../database/repositories/outbox-repository.js';
import type { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import type { TaskLogRepository } from '../database/repositories/task-log-repository.js';
import type { NewTask, TaskRepository } from '../database/repositories/task-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { Stage } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { Actor, TaskType } from '../domain/task/task-type.js';
import { taskMessage } from '../messaging/task-message.js';

export interface DeleteContentParts {
  readonly database: Database;
  readonly deletions: DeletionRepository;
  readonly commands: TaskCommandRepository;
  readonly tasks: TaskRepository;
  readonly logs: TaskLogRepository;
  readonly outbox: OutboxRepository;
  readonly ids: { next(): Id };
}

export interface DeleteContentOptions {
  readonly maxRetryCount: number;
  readonly onOutbox: () => void;
}

/**
 * Deletes documents and bases at any state: in one transaction their tasks are cancelled, they are hidden from every
 * read and search, and a task is made that removes the rest.
 */
export class DeleteContent {
  constructor(
    private readonly parts: DeleteContentParts,
    private readonly options: DeleteContentOptions,
  ) {}

  /** Gives the task that removes the rest; the same one while it is live. @throws AppError DOCUMENT_NOT_FOUND. */
  deleteDocument(tenantId: TenantId, documentId: Id, operatorId?: Id): Promise<Id> {
    const { database, deletions, commands } = this.parts;
    return database.transaction(async (tx) => {
      const document = await deletions.lockDocument(tx, tenantId, documentId);
      if (document?.deleted && document.deleteTaskId) return document.deleteTaskId;
      if (!document || document.deleted) throw new AppError('DOCUMENT_NOT_FOUND', 'There is no such document.');
      await commands.cancel(tx, tenantId, { documentId }, operatorId);
      await deletions.hideDocument(tx, documentId);
      return this.start(tx, { tenantId, documentId, knowledgeBaseId: document.knowledgeBaseId }, operatorId);
    });
  }

  /**
   * Gives the task that removes the rest of a base and of its documents.
   *
   * @throws AppError KNOWLEDGE_BASE_NOT_FOUND, DEFAULT_KNOWLEDGE_BASE.
   */
  deleteBase(tenantId: TenantId, knowledgeBaseId: Id, operatorId?: Id): Promise<Id> {
    const { database, deletions, commands } = this.parts;
    return database.transaction(async (tx) => {
      const base = await deletions.lockBase(tx, tenantId, knowledgeBaseId);
      if (!base) throw new AppError('KNOWLEDGE_BASE_NOT_FOUND', 'There is no such knowledge base.');
      if (base.isDefault) throw new AppError('DEFAULT_KNOWLEDGE_BASE', 'The default knowledge base cannot be deleted.');
      await deletions.hideBase(tx, knowledgeBaseId);
      await commands.cancel(tx, tenantId, { knowledgeBaseId }, operatorId);
      return this.start(tx, { tenantId, knowledgeBaseId }, operatorId);
    });
  }

  private async start(
    tx: TransactionContext,
    owner: Pick<NewTask, 'tenantId' | 'documentId' | 'knowledgeBaseId'>,
    operatorId: Id | undefined,
  ): Promise<Id> {
    const operator = operatorId ? { operatorId } : {};
    const task: NewTask = {
      ...owner,
      id: this.parts.ids.next(),
      taskType: TaskType.DeleteIndex,
      currentStage: Stage.IndexWrite,
      triggerSource: operatorId ? Actor.User : Actor.System,
      ...operator,
      maxRetryCount: this.options.maxRetryCount,
    };
    const { id: taskId, tenantId, currentStage: stage } = task;
    await this.parts.tasks.insert(tx, task);
    await this.parts.logs.append(tx, { tenantId, taskId, stage, event: TaskEvent.Start, ...operator });
    await this.parts.outbox.append(tx, [taskMessage({ ...task, documentId: task.documentId ?? task.knowledgeBaseId })]);
    tx.afterCommit(this.options.onOutbox);
    return taskId;
  }
}
