/** Chunks whose token counts lie from `min` to `max`, both included. */
export interface SizeBucket {
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Token counts of the chunks of one level; all zero where there is none. */
export interface SizeDistribution {
  readonly count: number;
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  readonly total: number;
  /** Buckets of doubling width, the same for every plan up to its largest chunk, so that two plans compare. */
  readonly histogram: readonly SizeBucket[];
}

const firstBound = 16;

/** @param sizes token counts, in any order. */
export function sizeDistribution(sizes: readonly number[]): SizeDistribution {
  const sorted = [...sizes].sort((a, b) => a - b);
  return {
    count: sorted.length,
    min: sorted[0] ?? 0,
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: sorted.at(-1) ?? 0,
    total: sorted.reduce((sum, size) => sum + size, 0),
    histogram: histogram(sorted),
  };
}

/** The smallest size that at least the share `q` of the chunks does not exceed. */
function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.ceil(q * sorted.length) - 1] ?? 0;
}

function histogram(sorted: readonly number[]): SizeBucket[] {
  const buckets: SizeBucket[] = [];
  const largest = sorted.at(-1) ?? 0;
  let next = 0;
  for (let min = 1, max = firstBound; min <= largest; min = max + 1, max *= 2) {
    const from = next;
    while (next < sorted.length && (sorted[next] ?? 0) <= max) next += 1;
    buckets.push({ min, max, count: next - from });
  }
  return buckets;
}
