import type { FillBatch, Filling } from '../builds/fill-batch.js';
import type { Database } from '../database/database.js';
import type { BatchRepository } from '../database/repositories/batch-repository.js';
import { AppError, failureOf } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import type { Logger } from '../logging/logger.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

/** Documents of one transaction. */
const portion = 100;
const batchesAtOnce = 5;
/** Transactions of one run, so that a large batch does not hold up the other passes. */
const mostPortions = 5;

type FillingApart = Filling & { readonly failed: number };

/** Gives the documents of batches their tasks, in turns between batches. What a crash left undone is simply still open. */
export class FillBatches implements UpkeepPass {
  readonly name = 'fill-batches';

  constructor(
    private readonly database: Database,
    private readonly batches: BatchRepository,
    private readonly fillBatch: FillBatch,
    private readonly logger: Logger,
    readonly intervalMs: number,
  ) {}

  async runOnce(): Promise<PassCounts> {
    const counts = { started: 0, skipped: 0, failed: 0 };
    let turn = await this.batches.toFill(batchesAtOnce);
    for (let portions = 0; turn.length > 0 && portions < mostPortions;) {
      const next: Id[] = [];
      for (const batchId of turn) {
        const { started, skipped, failed, full } = await this.fill(batchId);
        counts.started += started;
        counts.skipped += skipped;
        counts.failed += failed;
        portions += 1;
        if (full) next.push(batchId);
      }
      turn = next;
    }
    return counts;
  }

  private async fill(batchId: Id): Promise<FillingApart> {
    try {
      return { ...(await this.fillBatch.fill(batchId, portion)), failed: 0 };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isPassing(error)) return this.leave(batchId, error);
      this.logger.warn('a portion of a batch could not be filled; its documents are taken one by one', {
        batchId,
        error,
      });
      return this.fillApart(batchId);
    }
  }

  /** One of the documents is at fault: each on its own tells which, and the others get their tasks. */
  private async fillApart(batchId: Id): Promise<FillingApart> {
    const sum = { started: 0, skipped: 0, failed: 0, full: true };
    for (let i = 0; i < portion && sum.full; i += 1) {
      const one = await this.fillOne(batchId);
      sum.started += one.started;
      sum.skipped += one.skipped;
      sum.failed += one.failed;
      sum.full = one.full;
    }
    return sum;
  }

  private async fillOne(batchId: Id): Promise<FillingApart> {
    let taken: Id | undefined;
    try {
      return { ...(await this.fillBatch.fill(batchId, 1, ([documentId]) => (taken = documentId))), failed: 0 };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isPassing(error) || taken === undefined) return this.leave(batchId, error);
      const documentId = taken;
      this.logger.error('a document of a batch could not be given a task', { batchId, documentId, error });
      await this.database.transaction((tx) => this.batches.fail(tx, batchId, documentId, failureOf(error)));
      return { started: 0, skipped: 0, failed: 1, full: true };
    }
  }

  /** The next run tries again; other batches must not wait for this one. */
  private leave(batchId: Id, error: unknown): FillingApart {
    this.logger.warn('a batch could not be filled', { batchId, error });
    return { started: 0, skipped: 0, failed: 0, full: false };
  }
}

/** True where the database ended a statement for the sake of others: the documents have nothing to do with it. */
function isPassing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(40|53|55|57)[0-9A-Z]{3}$/.test(code);
}
