import { setImmediate } from 'node:timers/promises';
import { sentenceEnds } from '../../chunking/breaks/sentence-ends.js';
import { Outline } from '../../chunking/outline/outline.js';
import { CodePoints } from '../../chunking/text/code-points.js';
import type { BlockType } from '../../domain/text/block.js';
import type { Chunk } from '../../domain/text/chunk.js';
import type { StructuredText } from '../text-cutter.js';

/** Blocks that are no sentences, and are counted by themselves. */
const withoutSentences: ReadonlySet<BlockType | undefined> = new Set<BlockType>(['table', 'code', 'frontMatter']);

/** UTF-16 units before a cut in which a sentence end is nearly always found. */
const nearCut = 1_000;
/** About 20 ms of work. */
const chunksPerTurn = 256;

/** Finds where cuts part sentences, with the same idea of a sentence as the strategy that cuts along them. */
export class SentenceJudge {
  private readonly text: string;
  private readonly points: CodePoints;
  private readonly outline: Outline;

  constructor({ text, blocks }: StructuredText) {
    this.text = text;
    this.points = new CodePoints(text);
    this.outline = Outline.of(text, blocks, this.points);
  }

  /**
   * How many sentences no chunk holds whole. What a chunk repeats from the one before it does not count. Lets the event
   * loop have its turns: a long text takes a while.
   *
   * @param chunks of one level, in order.
   */
  async countSplit(chunks: readonly Chunk[]): Promise<number> {
    let count = 0;
    let counted = false;
    for (let index = 1; index < chunks.length; index += 1) {
      if (index % chunksPerTurn === 0) await setImmediate();
      const [before, after] = [chunks[index - 1], chunks[index]];
      if (!before || !after) continue;
      const found = this.lookAtCut(before, after);
      if (found.splits && !(counted && found.isSameSentence)) count += 1;
      counted = found.splits;
    }
    return count;
  }

  /** `isSameSentence`: the one that is cut began before the chunk. */
  private lookAtCut(before: Chunk, after: Chunk): { splits: boolean; isSameSentence: boolean } {
    const start = this.points.unitAt(before.charStart + before.overlapStart);
    const cut = this.points.unitAt(before.charStart) + before.text.trimEnd().length;
    const end = this.points.unitAt(after.charStart + after.overlapStart) + 1;
    let ends = this.endsIn(Math.max(start, cut - nearCut), end);
    if (ends.length === 0) ends = this.endsIn(start, end);
    const unit = this.outline.units[this.outline.indexAt(cut - 1)];
    const splits = (ends.at(-1) ?? -1) < cut && !withoutSentences.has(unit?.type);
    return { splits, isSameSentence: ends.length === 0 };
  }

  private endsIn(start: number, end: number): number[] {
    return sentenceEnds(this.text, this.outline, { start, end });
  }
}
