import { AppError } from '../../../domain/errors.js';
import type { Block, BlockType } from '../../../domain/text/block.js';

/** What neighbouring stretches have in common when they make one block. */
export interface BlockOwner {
  readonly type: BlockType;
  readonly depth?: number;
}

interface Stretch {
  readonly owner: BlockOwner;
  readonly start: number;
  end: number;
}

/** Gathers stretches of a text in their order and turns them into blocks. */
export class BlockList {
  private readonly stretches: Stretch[] = [];

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
    const last = this.stretches.at(-1);
    if (last?.owner === owner) {
      last.end = end;
      return;
    }
    if (this.stretches.length === this.mostBlocks) {
      throw new AppError('TOO_LARGE', `The text has more than ${this.mostBlocks} paragraphs and other pieces.`);
    }
    this.stretches.push({ owner, start, end });
  }

  /** The blocks, with offsets in code points. Stretches of nothing but white space are left out. */
  toBlocks(): Block[] {
    const codePoints = new CodePointCounter(this.text);
    const blocks: Block[] = [];
    for (const { owner, start, end } of this.stretches) {
      if (!hasText(this.text, start, end)) continue;
      const charStart = codePoints.before(start);
      blocks.push({ ...owner, charStart, charEnd: codePoints.before(end) });
    }
    return blocks;
  }
}

function hasText(whole: string, start: number, end: number): boolean {
  return /\S/.test(whole.slice(start, end));
}

/** Turns rising places in UTF-16 units into code points, in one walk over the text. */
class CodePointCounter {
  private at = 0;
  private surrogatePairs = 0;

  constructor(private readonly text: string) {}

  before(place: number): number {
    for (; this.at < place; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code >= 0xdc00 && code <= 0xdfff) this.surrogatePairs += 1;
    }
    return place - this.surrogatePairs;
  }
}
