import { errorTable, type FailureRecord } from '../../domain/errors.js';
import { TaskType } from '../../domain/task/task-type.js';
import type { TransactionContext } from '../database.js';
import type { DeadLetterRepository, DeadTask } from './dead-letter-repository.js';
import type { DocumentRepository } from './document-repository.js';
import type { IndexVersionRepository } from './index-version-repository.js';
import type { OutboxMessage, OutboxRepository } from './outbox-repository.js';
import type { ClaimedTask } from './task-lease-repository.js';

export interface TaskFailureParts {
  readonly documents: Pick<DocumentRepository, 'failParsing'>;
  readonly versions: Pick<IndexVersionRepository, 'failBuild'>;
  readonly letters: Pick<DeadLetterRepository, 'addTask'>;
  readonly outbox: Pick<OutboxRepository, 'append'>;
  /** What the broker's dead-letter topic is told of a task. */
  readonly messageOf: (dead: DeadTask) => OutboxMessage;
}

/** What the bad end of a task leaves beside its row, whoever ended it. */
export class TaskFailureRepository {
  constructor(private readonly parts: TaskFailureParts) {}

  /**
   * Puts the reason on the document; what is served stays. The document must be locked. A failure that another try can
   * mend ends a task only when its retries are used up or its time is over: that also makes a dead letter, and the message
   * that tells of it.
   */
  async record(
    tx: TransactionContext,
    task: Pick<ClaimedTask, 'id' | 'taskType' | 'documentId' | 'planId'>,
    { code, message }: FailureRecord,
  ): Promise<void> {
    await this.mark(tx, task, { code, message });
    if (!errorTable[code].retryable) return;
    const { letters, outbox, messageOf } = this.parts;
    await outbox.append(tx, [messageOf(await letters.addTask(tx, task.id, { code, message }))]);
  }

  private async mark(
    tx: TransactionContext,
    { taskType, documentId, planId }: Pick<ClaimedTask, 'taskType' | 'documentId' | 'planId'>,
    { code, message }: FailureRecord,
  ): Promise<void> {
    switch (taskType) {
      case TaskType.ParseDocument:
        return this.parts.documents.failParsing(tx, documentId, { code, message });
      case TaskType.BuildIndex:
      case TaskType.RebuildIndex:
        return this.parts.versions.failBuild(tx, documentId, planId, { code, message });
      case TaskType.DeleteIndex:
        return;
    }
  }
}
