import type { Database } from '../database/database.js';
import type { BatchReadRepository } from '../database/repositories/batch-read-repository.js';
import type { BatchRepository } from '../database/repositories/batch-repository.js';
import type { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { BatchState } from '../domain/batch/batch-state.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { batchNotFound } from './batch-errors.js';

/** Stops a batch: what waits never starts, what runs is cancelled as any task is, what is over stays. */
export class CancelBatch {
  constructor(
    private readonly database: Database,
    private readonly batches: BatchRepository,
    private readonly reads: BatchReadRepository,
    private readonly commands: TaskCommandRepository,
  ) {}

  /** @throws AppError BATCH_NOT_FOUND, BATCH_FINISHED. */
  cancel(tenantId: TenantId, batchId: Id, operatorId?: Id): Promise<void> {
    return this.database.transaction(async (tx) => {
      if (!(await this.batches.hold(tx, tenantId, batchId))) throw batchNotFound();
      const batch = await this.reads.find(tenantId, batchId, tx);
      if (batch?.state !== BatchState.Running) throw new AppError('BATCH_FINISHED', 'The batch is over.');
      await this.batches.close(tx, batchId);
      await this.commands.cancel(tx, tenantId, { batchId }, operatorId);
    });
  }
}
