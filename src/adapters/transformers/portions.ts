const mostTexts = 8;
/** A run costs about as much as this many characters before it reads any. */
const runWeight = 40;

/**
 * Deals texts out to several processes, the longest first and in portions that shrink, so that messages are few and all
 * processes end together.
 */
export class Portions {
  private readonly order: number[];
  private readonly weights: number[];
  private left: number;
  private at = 0;

  constructor(
    texts: readonly string[],
    private readonly processes: number,
  ) {
    this.weights = texts.map((text) => text.length + runWeight);
    this.left = this.weights.reduce((sum, weight) => sum + weight, 0);
    this.order = [...texts.keys()].sort((a, b) => this.weightOf(b) - this.weightOf(a));
  }

  /** The indexes of the texts to compute next; empty at the end. */
  next(): number[] {
    const share = this.left / (3 * this.processes);
    const portion: number[] = [];
    for (let weight = 0; weight < share && portion.length < mostTexts;) {
      const index = this.order[this.at];
      if (index === undefined) break;
      this.at += 1;
      weight += this.weightOf(index);
      this.left -= this.weightOf(index);
      portion.push(index);
    }
    return portion;
  }

  /** Nothing more is to be dealt out. */
  close(): void {
    this.at = this.order.length;
  }

  private weightOf(index: number): number {
    return this.weights[index] ?? 0;
  }
}
