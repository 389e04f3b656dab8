import type { Readable } from 'node:stream';
import { CommitOutcomeUnknown, type Database, type TransactionContext } from '../database/database.js';
import type { DocumentRepository } from '../database/repositories/document-repository.js';
import type { KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import type { OutboxRepository } from '../database/repositories/outbox-repository.js';
import type { TaskLogRepository } from '../database/repositories/task-log-repository.js';
import type { NewTask, TaskRepository } from '../database/repositories/task-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { ExecuteStatus } from '../domain/plan/step-status.js';
import { freshStages, type StageProgress } from '../domain/task/progress.js';
import { Stage, stagesOf } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { Actor, TaskType } from '../domain/task/task-type.js';
import { taskMessage } from '../messaging/task-message.js';
import { cleanFileName } from './file-name.js';
import type { ObjectStore, StoredObject } from './object-store.js';

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
  readonly operatorId?: Id;
  readonly stored: StoredObject;
}

/** A new document with its parse task, or the one that holds the same bytes already. */
export type ReceivedUpload =
  | { readonly type: 'created'; readonly documentId: Id; readonly taskId: Id }
  | { readonly type: 'duplicate'; readonly documentId: Id };

export interface ReceiveUploadParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly documents: DocumentRepository;
  readonly bases: KnowledgeBaseRepository;
  readonly tasks: TaskRepository;
  readonly logs: TaskLogRepository;
  readonly outbox: OutboxRepository;
  readonly ids: { next(): Id };
}

export interface ReceiveUploadOptions {
  readonly uploadBytes: number;
  readonly maxRetryCount: number;
  /** Told when there is something to send, so that it need not wait for the relay's next look. */
  readonly onOutbox: () => void;
}

/** Takes a file in: its bytes first, then document, parse task, first log line and message in one transaction. */
export class ReceiveUpload {
  constructor(
    private readonly parts: ReceiveUploadParts,
    private readonly options: ReceiveUploadOptions,
  ) {}

  /** Stores the bytes under a name of our own. @throws AppError PAYLOAD_TOO_LARGE, STORAGE_UNAVAILABLE. */
  store(stream: Readable): Promise<StoredObject> {
    return this.parts.objects.put(`sources/${this.parts.ids.next()}`, stream, this.options.uploadBytes);
  }

  /** Removes bytes that no document came to own. */
  discard(stored: StoredObject): Promise<void> {
    return this.parts.objects.delete(stored.key);
  }

  /** The stored bytes are the document's afterwards, or gone. @throws AppError KNOWLEDGE_BASE_NOT_FOUND. */
  async receive(upload: Upload): Promise<ReceivedUpload> {
    let received: ReceivedUpload;
    try {
      const knowledgeBaseId = await this.baseOf(upload);
      received = await this.parts.database.transaction((tx) => this.receiveWithin(tx, upload, knowledgeBaseId));
    } catch (error) {
      // After a commit whose outcome is unknown the document may own the bytes.
      if (!(error instanceof CommitOutcomeUnknown)) await this.discard(upload.stored);
      throw error;
    }
    if (received.type === 'duplicate') await this.discard(upload.stored);
    return received;
  }

  private async baseOf({ tenantId, knowledgeBaseId }: Upload): Promise<Id> {
    const { bases } = this.parts;
    const base = knowledgeBaseId ? await bases.find(tenantId, knowledgeBaseId) : await bases.findDefault(tenantId);
    if (!base) throw new AppError('KNOWLEDGE_BASE_NOT_FOUND', 'There is no such knowledge base.');
    return base.knowledgeBaseId;
  }

  private async receiveWithin(tx: TransactionContext, upload: Upload, knowledgeBaseId: Id): Promise<ReceivedUpload> {
    const { tenantId, stored } = upload;
    // Asked also when duplicates are welcome: it makes simultaneous uploads of the same bytes take turns.
    const duplicate = await this.parts.documents.findDuplicate(tx, tenantId, knowledgeBaseId, stored.sha256);
    if (duplicate && !upload.allowDuplicate) return { type: 'duplicate', documentId: duplicate };
    const documentId = this.parts.ids.next();
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
    const taskId = await this.startParsing(tx, { tenantId, documentId, knowledgeBaseId }, upload.operatorId);
    return { type: 'created', documentId, taskId };
  }

  private async startParsing(
    tx: TransactionContext,
    owner: Pick<NewTask, 'tenantId' | 'documentId' | 'knowledgeBaseId'>,
    operatorId: Id | undefined,
  ): Promise<Id> {
    const task: NewTask = {
      ...owner,
      id: this.parts.ids.next(),
      taskType: TaskType.ParseDocument,
      currentStage: Stage.ContentParse,
      triggerSource: operatorId ? Actor.User : Actor.System,
      ...(operatorId ? { operatorId } : {}),
      maxRetryCount: this.options.maxRetryCount,
      stages: stagesAfterUpload(),
    };
    await this.parts.tasks.insert(tx, task);
    await this.parts.logs.append(tx, {
      tenantId: task.tenantId,
      taskId: task.id,
      stage: Stage.FileUpload,
      event: TaskEvent.Start,
      ...(operatorId ? { operatorId } : {}),
    });
    await this.parts.outbox.append(tx, [taskMessage(task)]);
    tx.afterCommit(this.options.onOutbox);
    return task.id;
  }
}

/** The stages of a parse task whose file has arrived. */
function stagesAfterUpload(): StageProgress[] {
  const at = new Date().toISOString();
  return freshStages(stagesOf(TaskType.ParseDocument)).map((progress) =>
    progress.stage === Stage.FileUpload
      ? { ...progress, status: ExecuteStatus.Success, done: 1, total: 1, startedAt: at, finishedAt: at }
      : progress,
  );
}
