import type { Logger } from '../logging/logger.js';
import type { Chore } from './chore.js';
import { settleEach } from './settle-each.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

/** A run takes no further step after this time, so that it does not keep other passes waiting. */
const runMs = 1_000;

/**
 * Does one chore, some steps of its scan in each run. Where the scan stands is kept between runs: what cannot be settled
 * is not looked at again before everything else was.
 */
export class ChorePass implements UpkeepPass {
  private steps: AsyncIterator<readonly string[]> | undefined;

  constructor(
    readonly name: string,
    private readonly chore: Chore,
    private readonly logger: Logger,
    readonly intervalMs: number,
  ) {}

  async runOnce(signal?: AbortSignal): Promise<PassCounts> {
    const endsAt = performance.now() + runMs;
    let found = 0;
    let settled = 0;
    for (let ids = await this.advance(); ids; ids = await this.advance()) {
      found += ids.length;
      settled += await settleEach(this.chore, ids, this.logger, signal);
      if (signal?.aborted || performance.now() > endsAt) break;
    }
    return { found, settled };
  }

  /** The next step; undefined at the end, after which a new scan begins. */
  private async advance(): Promise<readonly string[] | undefined> {
    const steps = (this.steps ??= this.chore.scan()[Symbol.asyncIterator]());
    try {
      const step = await steps.next();
      if (!step.done) return step.value;
    } catch (error) {
      this.steps = undefined;
      throw error;
    }
    this.steps = undefined;
    return undefined;
  }
}
