import type { FailureRecord } from '../../domain/errors.js';
import { TaskType } from '../../domain/task/task-type.js';
import type { TransactionContext } from '../database.js';
import type { DocumentRepository } from './document-repository.js';
import type { IndexVersionRepository } from './index-version-repository.js';
import type { ClaimedTask } from './task-lease-repository.js';

/** What the bad end of a task means for its document, whoever ended it. */
export class DocumentFailureRepository {
  constructor(
    private readonly documents: Pick<DocumentRepository, 'failParsing'>,
    private readonly versions: Pick<IndexVersionRepository, 'failBuild'>,
  ) {}

  /** Puts the reason on the document; what is served stays. The document must be locked. */
  async record(
    tx: TransactionContext,
    { taskType, documentId, planId }: Pick<ClaimedTask, 'taskType' | 'documentId' | 'planId'>,
    { code, message }: FailureRecord,
  ): Promise<void> {
    switch (taskType) {
      case TaskType.ParseDocument:
        return this.documents.failParsing(tx, documentId, { code, message });
      case TaskType.BuildIndex:
      case TaskType.RebuildIndex:
        return this.versions.failBuild(tx, documentId, planId, { code, message });
      case TaskType.DeleteIndex:
        return;
    }
  }
}
