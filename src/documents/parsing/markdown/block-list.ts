import { blockTypes, type BlockType } from '../../../domain/text/block.js';
import { numbersEach, type PackedBlocks } from '../packed-blocks.js';
import { tooLarge } from '../read-limits.js';
import { isBlankBetween } from '../text/white-space.js';
import { CodePointCounter } from './code-point-counter.js';

/** What neighbouring stretches have in common when they make one block. */
export interface BlockOwner {
  readonly type: BlockType;
  readonly depth?: number;
}

const leastRoom = 1_024;

/** Gathers stretches of a text in their order and turns them into blocks; in numbers, of which a text has millions. */
export class BlockList {
  private numbers = new Int32Array(leastRoom * numbersEach);
  private count = 0;
  private lastOwner: BlockOwner | undefined;

  /** @param mostBlocks a text with more is refused: its structure would not fit in memory. */
  constructor(
    private readonly text: string,
    private readonly mostBlocks: number,
  ) {}

  /**
   * Adds UTF-16 units `start`–`end`. A stretch with the owner of the one before it joins that one.
   *
   * @throws AppError TOO_LARGE
   */
  add(owner: BlockOwner, start: number, end: number): void {
    if (this.lastOwner === owner) {
      this.numbers[this.count * numbersEach - 2] = end;
      return;
    }
    if (this.count === this.mostBlocks) {
      throw tooLarge('blocks', this.mostBlocks, `${this.mostBlocks} paragraphs and other pieces`);
    }
    this.lastOwner = owner;
    this.put(this.count, [blockTypes.indexOf(owner.type), owner.depth ?? 0, start, end, 0]);
    this.count += 1;
  }

  /** The blocks, with offsets in code points. Stretches of nothing but white space are left out. Called once, at the end. */
  toPacked(): PackedBlocks {
    const codePoints = new CodePointCounter(this.text);
    let kept = 0;
    for (let at = 0; at < this.count; at += 1) {
      const [type = 0, depth = 0, start = 0, end = 0] = this.numbers.subarray(at * numbersEach, (at + 1) * numbersEach);
      if (isBlankBetween(this.text, start, end)) continue;
      this.put(kept, [type, depth, codePoints.before(start), codePoints.before(end), 0]);
      kept += 1;
    }
    return this.numbers.slice(0, kept * numbersEach);
  }

  private put(at: number, block: readonly number[]): void {
    if ((at + 1) * numbersEach > this.numbers.length) {
      const roomier = new Int32Array(this.numbers.length * 2);
      roomier.set(this.numbers);
      this.numbers = roomier;
    }
    this.numbers.set(block, at * numbersEach);
  }
}
