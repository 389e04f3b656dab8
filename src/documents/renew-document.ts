import type { Readable } from 'node:stream';
import { CommitOutcomeUnknown, type Database, type TransactionContext } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { DocumentRepository, RenewedDocument } from '../database/repositories/document-repository.js';
import type { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { TaskPriority } from '../domain/task/task-priority.js';
import { cleanFileName } from './file-name.js';
import { sourceFolder, type ObjectStore, type StoredObject } from './object-store.js';
import type { ParseTasks } from './parse-tasks.js';

export interface Renewal {
  readonly tenantId: TenantId;
  readonly documentId: Id;
  /** Stops a live parse or build of the document instead of being refused. */
  readonly cancelRunning: boolean;
  /** What to read the bytes as, instead of detecting it. */
  readonly encoding?: string;
  /** Of the parse. */
  readonly priority: TaskPriority;
  readonly operatorId?: Id;
}

export interface NewSource {
  readonly fileName: string;
  readonly mediaType: string;
  readonly stored: StoredObject;
}

export interface RenewDocumentParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly documents: DocumentRepository;
  readonly commands: TaskCommandRepository;
  readonly parseTasks: ParseTasks;
  readonly ids: { next(): Id };
}

/**
 * Has a document read anew, from another source or from the one it has. What is served stays until the new text is built.
 */
export class RenewDocument {
  constructor(
    private readonly parts: RenewDocumentParts,
    private readonly uploadBytes: number,
  ) {}

  /** As for a first upload. */
  store(stream: Readable): Promise<StoredObject> {
    return this.parts.objects.put(`${sourceFolder}/${this.parts.ids.next()}`, stream, this.uploadBytes);
  }

  discard(stored: StoredObject): Promise<void> {
    return this.parts.objects.delete(stored.key);
  }

  /**
   * Gives the parse task. The stored bytes are the document's afterwards, or gone.
   *
   * @throws AppError DOCUMENT_NOT_FOUND; TASK_IN_PROGRESS with the live task's id.
   */
  async replaceSource(renewal: Renewal, source: NewSource): Promise<Id> {
    let before: RenewedDocument;
    const taskId = this.parts.ids.next();
    try {
      before = await this.parts.database.transaction(async (tx) => {
        const document = await this.prepare(tx, renewal);
        const fileName = cleanFileName(source.fileName);
        await this.parts.documents.replaceSource(tx, renewal.documentId, { ...source, fileName }, renewal.encoding);
        await this.parts.parseTasks.start(tx, { ...document, ...renewal, taskId });
        return document;
      });
    } catch (error) {
      // After a doubtful commit the document may own the bytes.
      if (!(error instanceof CommitOutcomeUnknown)) await this.discard(source.stored);
      throw error;
    }
    await this.parts.objects.delete(before.sourceKey);
    return taskId;
  }

  /** Gives the parse task. @throws AppError as `replaceSource`. */
  parseAgain(renewal: Renewal, once?: Once): Promise<Id> {
    const taskId = this.parts.ids.next();
    return this.parts.database.transaction(async (tx) => {
      const document = await this.prepare(tx, renewal);
      await this.parts.documents.awaitParsing(tx, renewal.documentId, renewal.encoding);
      await this.parts.parseTasks.start(tx, { ...document, ...renewal, taskId });
      return taskId;
    }, once);
  }

  private async prepare(tx: TransactionContext, renewal: Renewal): Promise<RenewedDocument> {
    const { tenantId, documentId, cancelRunning, operatorId } = renewal;
    const document = await this.parts.documents.lockForRenewal(tx, tenantId, documentId);
    if (!document) throw new AppError('DOCUMENT_NOT_FOUND', 'There is no such document.');
    if (document.liveTaskId && !cancelRunning) {
      const details = { taskId: document.liveTaskId };
      throw new AppError('TASK_IN_PROGRESS', 'A parse or build of the document is live.', details);
    }
    if (document.liveTaskId) await this.parts.commands.cancel(tx, tenantId, { documentId }, operatorId);
    return document;
  }
}
