import type { Readable } from 'node:stream';
import { CommitOutcomeUnknown, type Database, type TransactionContext } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { DocumentRepository } from '../database/repositories/document-repository.js';
import type { KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { TaskPriority } from '../domain/task/task-priority.js';
import { cleanFileName } from './file-name.js';
import { sourceFolder, type ObjectStore, type StoredObject } from './object-store.js';
import type { ParseTasks } from './parse-tasks.js';

export interface Upload {
  readonly tenantId: TenantId;
  /** The tenant's default base when absent. */
  readonly knowledgeBaseId?: Id;
  /** The file name when absent. */
  readonly title?: string;
  readonly fileName: string;
  readonly mediaType: string;
  /** What to read the bytes as, instead of detecting it. */
  readonly encoding?: string;
  readonly allowDuplicate: boolean;
  /** Of the parse. */
  readonly priority: TaskPriority;
  readonly operatorId?: Id;
  readonly stored: StoredObject;
}

/** A new document with its parse task, or the one that holds the same bytes already. */
export type ReceivedUpload =
  | { readonly type: 'created'; readonly documentId: Id; readonly taskId: Id }
  | { readonly type: 'duplicate'; readonly documentId: Id };

interface NewIds {
  readonly documentId: Id;
  readonly taskId: Id;
}

/** An upload whose base is known, and the ids of what it becomes. */
type PlacedUpload = Upload & NewIds & { readonly knowledgeBaseId: Id };

export interface ReceiveUploadParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly documents: DocumentRepository;
  readonly bases: KnowledgeBaseRepository;
  readonly parseTasks: ParseTasks;
  readonly ids: { next(): Id };
}

/** Takes a file in: its bytes first, then document, parse task, first log line and message in one transaction. */
export class ReceiveUpload {
  constructor(
    private readonly parts: ReceiveUploadParts,
    private readonly uploadBytes: number,
  ) {}

  /** Stores the bytes under a name of our own. @throws AppError PAYLOAD_TOO_LARGE, STORAGE_UNAVAILABLE. */
  store(stream: Readable): Promise<StoredObject> {
    return this.parts.objects.put(`${sourceFolder}/${this.parts.ids.next()}`, stream, this.uploadBytes);
  }

  /** Removes bytes that no document came to own. */
  discard(stored: StoredObject): Promise<void> {
    return this.parts.objects.delete(stored.key);
  }

  /**
   * The stored bytes are the document's afterwards, or gone.
   *
   * @param once has a repetition give what the first time gave; its bytes stay the caller's.
   * @throws AppError KNOWLEDGE_BASE_NOT_FOUND, DATABASE_UNAVAILABLE.
   */
  async receive(upload: Upload, once?: Once): Promise<ReceivedUpload> {
    const { database, ids } = this.parts;
    const fresh: NewIds = { documentId: ids.next(), taskId: ids.next() };
    let received: ReceivedUpload;
    try {
      const knowledgeBaseId = await this.baseOf(upload);
      const placed: PlacedUpload = { ...upload, ...fresh, knowledgeBaseId };
      received = await database.transaction((tx) => this.receiveWithin(tx, placed), once);
    } catch (error) {
      if (error instanceof CommitOutcomeUnknown) return this.readBack(upload.tenantId, fresh, error);
      await this.discard(upload.stored);
      throw error;
    }
    if (received.type === 'duplicate') await this.discard(upload.stored);
    return received;
  }

  /** The commit may have worked. If it is not to be seen, the bytes stay: it may be seen later. */
  private async readBack(
    tenantId: TenantId,
    { documentId, taskId }: NewIds,
    cause: CommitOutcomeUnknown,
  ): Promise<ReceivedUpload> {
    if (await this.parts.documents.view(tenantId, documentId)) return { type: 'created', documentId, taskId };
    throw new AppError('DATABASE_UNAVAILABLE', 'The document may not be stored. Upload it again.', {}, { cause });
  }

  private async baseOf({ tenantId, knowledgeBaseId }: Upload): Promise<Id> {
    const { bases } = this.parts;
    const base = knowledgeBaseId ? await bases.find(tenantId, knowledgeBaseId) : await bases.findDefault(tenantId);
    if (!base) throw baseNotFound();
    return base.knowledgeBaseId;
  }

  private async receiveWithin(tx: TransactionContext, upload: PlacedUpload): Promise<ReceivedUpload> {
    const { tenantId, knowledgeBaseId, documentId, taskId, stored } = upload;
    if (!(await this.parts.bases.holdOn(tx, knowledgeBaseId))) throw baseNotFound();
    // Asked also when duplicates are welcome: it makes simultaneous uploads of the same bytes take turns.
    const duplicate = await this.parts.documents.findDuplicate(tx, tenantId, knowledgeBaseId, stored.sha256);
    if (duplicate && !upload.allowDuplicate) return { type: 'duplicate', documentId: duplicate };
    const fileName = cleanFileName(upload.fileName);
    await this.parts.documents.insert(
      tx,
      {
        id: documentId,
        tenantId,
        knowledgeBaseId,
        title: upload.title ?? fileName,
        fileName,
        mediaType: upload.mediaType,
        sizeBytes: stored.sizeBytes,
        sourceHash: stored.sha256,
        sourceKey: stored.key,
      },
      upload.encoding,
    );
    await this.parts.parseTasks.start(tx, upload);
    return { type: 'created', documentId, taskId };
  }
}

function baseNotFound(): AppError {
  return new AppError('KNOWLEDGE_BASE_NOT_FOUND', 'There is no such knowledge base.');
}
