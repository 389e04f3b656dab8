import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

const rowsAtOnce = 1_000;
/** Portions of one run, so that it does not keep other passes waiting. */
const mostPortions = 20;

/** What is trimmed, and when. */
export interface TrimTerms {
  readonly name: string;
  /** Age from which a row is needed no more, in ms; 0 keeps all. */
  readonly keepMs: number;
  readonly intervalMs: number;
}

/** Removes rows that are needed no more for their age alone, a portion at a time. */
export class TrimRows implements UpkeepPass {
  readonly name: string;
  readonly intervalMs: number;

  /** @param trim removes at most `limit` rows that are older than `keepMs`; gives how many. */
  constructor(
    private readonly terms: TrimTerms,
    private readonly trim: (keepMs: number, limit: number) => Promise<number>,
  ) {
    this.name = terms.name;
    this.intervalMs = terms.intervalMs;
  }

  async runOnce(signal?: AbortSignal): Promise<PassCounts> {
    const { keepMs } = this.terms;
    let removed = 0;
    for (let portion = 0; keepMs > 0 && portion < mostPortions && !signal?.aborted; portion += 1) {
      const count = await this.trim(keepMs, rowsAtOnce);
      removed += count;
      if (count < rowsAtOnce) break;
    }
    return { removed };
  }
}
