import type { IdempotencyKeyRepository } from '../database/repositories/idempotency-key-repository.js';
import { keysKeptMs } from '../domain/idempotency.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

const keysAtOnce = 1_000;
const mostBatches = 10;
const everyMs = 60_000;

/** Removes keys of creating requests that are too old to mean anything. */
export class TrimIdempotencyKeys implements UpkeepPass {
  readonly name = 'trim-idempotency-keys';
  readonly intervalMs = everyMs;

  constructor(private readonly keys: IdempotencyKeyRepository) {}

  async runOnce(): Promise<PassCounts> {
    let removed = 0;
    for (let batch = 0; batch < mostBatches; batch += 1) {
      const count = await this.keys.trim(keysKeptMs, keysAtOnce);
      removed += count;
      if (count < keysAtOnce) break;
    }
    return { removed };
  }
}
