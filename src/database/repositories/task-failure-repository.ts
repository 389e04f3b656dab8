import { errorTable, type FailureRecord } from '../../domain/errors.js';
import { TaskType } from '../../domain/task/task-type.js';
import type { TransactionContext } from '../database.js';
import type { DeadLetterRepository } from './dead-letter-repository.js';
import type { DocumentRepository } from './document-repository.js';
import type { IndexVersionRepository } from './index-version-repository.js';
import type { ClaimedTask } from './task-lease-repository.js';

/** What the bad end of a task leaves beside its row, whoever ended it. */
export class TaskFailureRepository {
  constructor(
    private readonly documents: Pick<DocumentRepository, 'failParsing'>,
    private readonly versions: Pick<IndexVersionRepository, 'failBuild'>,
    private readonly letters: Pick<DeadLetterRepository, 'addTask'>,
  ) {}

  /**
   * Puts the reason on the document; what is served stays. The document must be locked. A failure that another try can
   * mend ends a task only when its retries are used up or its time is over: that also makes a dead letter.
   */
  async record(
    tx: TransactionContext,
    task: Pick<ClaimedTask, 'id' | 'taskType' | 'documentId' | 'planId'>,
    { code, message }: FailureRecord,
  ): Promise<void> {
    await this.mark(tx, task, { code, message });
    if (errorTable[code].retryable) await this.letters.addTask(tx, task.id, { code, message });
  }

  private async mark(
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
