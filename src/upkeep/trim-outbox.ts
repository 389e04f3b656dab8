import type { OutboxRepository } from '../database/repositories/outbox-repository.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

const rowsAtOnce = 1_000;
const batchesAtOnce = 20;
const dayMs = 86_400_000;

/** Removes messages that were sent long ago; after 0 days, none. */
export class TrimOutbox implements UpkeepPass {
  readonly name = 'trim-outbox';

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly keepDays: number,
    readonly intervalMs: number,
  ) {}

  async runOnce(signal?: AbortSignal): Promise<PassCounts> {
    if (this.keepDays === 0) return { removed: 0 };
    let removed = 0;
    for (let batch = 0; batch < batchesAtOnce && !signal?.aborted; batch += 1) {
      const count = await this.outbox.trim(this.keepDays * dayMs, rowsAtOnce);
      removed += count;
      if (count < rowsAtOnce) break;
    }
    return { removed };
  }
}
