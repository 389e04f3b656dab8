import type { Database } from '../database/database.js';
import type { DeletionRepository } from '../database/repositories/deletion-repository.js';
import type { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { TaskPriority } from '../domain/task/task-priority.js';
import { startDeletion, type DeletionOptions, type DeletionParts } from './start-deletion.js';

export interface DeleteContentParts extends DeletionParts {
  readonly database: Database;
  readonly deletions: DeletionRepository;
  readonly commands: TaskCommandRepository;
}

/**
 * Deletes documents and bases at any state: in one transaction their tasks are cancelled, they are hidden from every
 * read and search, and a task is made that removes the rest.
 */
export class DeleteContent {
  constructor(
    private readonly parts: DeleteContentParts,
    private readonly options: DeletionOptions,
  ) {}

  /** Gives the task that removes the rest; the same one while it is live. @throws AppError DOCUMENT_NOT_FOUND. */
  deleteDocument(
    tenantId: TenantId,
    documentId: Id,
    operatorId?: Id,
    priority: TaskPriority = TaskPriority.Interactive,
  ): Promise<Id> {
    const { database, deletions, commands } = this.parts;
    return database.transaction(async (tx) => {
      const document = await deletions.lockDocument(tx, tenantId, documentId);
      if (document?.deleted && document.deleteTaskId) return document.deleteTaskId;
      if (!document || document.deleted) throw new AppError('DOCUMENT_NOT_FOUND', 'There is no such document.');
      await commands.cancel(tx, tenantId, { documentId }, operatorId);
      await deletions.hideDocument(tx, documentId);
      const owner = { tenantId, documentId, knowledgeBaseId: document.knowledgeBaseId, priority };
      return startDeletion(tx, this.parts, this.options, owner, operatorId);
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
      const owner = { tenantId, knowledgeBaseId, priority: TaskPriority.Bulk };
      return startDeletion(tx, this.parts, this.options, owner, operatorId);
    });
  }
}
