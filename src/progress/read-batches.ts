import type { BatchItemView, BatchReadRepository, BatchView } from '../database/repositories/batch-read-repository.js';
import type { ItemState } from '../domain/batch/batch-item.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { Page, PageRequest } from '../domain/page.js';

/** What people see of batches and their items. */
export class ReadBatches {
  constructor(private readonly batches: BatchReadRepository) {}

  /** @throws AppError BATCH_NOT_FOUND. */
  async get(tenantId: TenantId, batchId: Id): Promise<BatchView> {
    const batch = await this.batches.find(tenantId, batchId);
    if (!batch) throw batchNotFound();
    return batch;
  }

  /** Newest first. */
  list(tenantId: TenantId, page: PageRequest): Promise<Page<BatchView>> {
    return this.batches.list(tenantId, page);
  }

  /** In the order of the documents' ids. @throws AppError BATCH_NOT_FOUND. */
  async listItems(
    tenantId: TenantId,
    batchId: Id,
    state: ItemState | undefined,
    page: PageRequest,
  ): Promise<Page<BatchItemView>> {
    if (!(await this.batches.exists(tenantId, batchId))) throw batchNotFound();
    return this.batches.listItems(batchId, state, page);
  }
}

function batchNotFound(): AppError {
  return new AppError('BATCH_NOT_FOUND', 'There is no such batch.');
}
