import type { Database } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { BatchReadRepository } from '../database/repositories/batch-read-repository.js';
import type { BatchRepository } from '../database/repositories/batch-repository.js';
import { BatchState } from '../domain/batch/batch-state.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { presentTrace } from '../tracing/trace-scope.js';
import { batchNotFound } from './batch-errors.js';

/** Has the failed items of a batch tried again; a batch that was done runs again. Who fills batches does the rest. */
export class RetryBatch {
  constructor(
    private readonly database: Database,
    private readonly batches: BatchRepository,
    private readonly reads: BatchReadRepository,
  ) {}

  /**
   * Gives the batch's id.
   *
   * @param once has a repetition reopen nothing more.
   * @throws AppError BATCH_NOT_FOUND, BATCH_FINISHED for a cancelled batch, NOTHING_TO_RETRY.
   */
  retryFailed(tenantId: TenantId, batchId: Id, operatorId?: Id, once?: Once): Promise<Id> {
    return this.database.transaction(async (tx) => {
      if (!(await this.batches.hold(tx, tenantId, batchId))) throw batchNotFound();
      const batch = await this.reads.find(tenantId, batchId, tx);
      if (batch?.state === BatchState.Cancelled) throw new AppError('BATCH_FINISHED', 'The batch was cancelled.');
      const reopened = await this.batches.reopenFailed(tx, batchId, presentTrace(), operatorId);
      if (reopened === 0) throw new AppError('NOTHING_TO_RETRY', 'No item of the batch has failed.');
      return batchId;
    }, once);
  }
}
