/** Random choices that a seed repeats: mulberry32. */
export class SeededRandom {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[Math.floor(this.next() * from.length)];
    if (chosen === undefined) throw new RangeError('there is nothing to choose from');
    return chosen;
  }
}

/** The seed that the environment sets in FAULT_SEED, or a new one; said, so that a run can be repeated. */
export function announcedRandom(): SeededRandom {
  const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000_000);
  process.stderr.write(`FAULT_SEED=${seed}\n`);
  return new SeededRandom(seed);
}
