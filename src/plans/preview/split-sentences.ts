import type { Block, BlockType } from '../../domain/text/block.js';
import type { Chunk } from '../../domain/text/chunk.js';

/** Blocks that hold sentences. Tables and code are counted by themselves. */
const withSentences: ReadonlySet<BlockType> = new Set<BlockType>(['heading', 'paragraph', 'listItem', 'quote', 'html']);

/** The end of a sentence, with the marks that may close around it: quotes, brackets, emphasis. */
const sentenceEnd = /[.!?…。！？；]["'”’»」』）】》)\]*_~`]*$/u;

/**
 * How many sentences a level cuts in two: cuts inside a block of text, where the text before the cut does not end a
 * sentence. What a chunk repeats from the one before it does not count.
 *
 * @param chunks of one level, in order.
 */
export function countSplitSentences(blocks: readonly Block[], chunks: readonly Chunk[]): number {
  let count = 0;
  let at = 0;
  for (let index = 1; index < chunks.length; index += 1) {
    const before = chunks[index - 1];
    const after = chunks[index];
    if (!before || !after) continue;
    while (at < blocks.length && (blocks[at]?.charEnd ?? 0) <= before.charEnd) at += 1;
    const block = blocks[at];
    if (block && isInside(block, before, after) && !sentenceEnd.test(before.text.trimEnd())) count += 1;
  }
  return count;
}

/** True if the block goes on, visibly, from one chunk to the next. */
function isInside(block: Block, before: Chunk, after: Chunk): boolean {
  const resumesAt = after.charStart + after.overlapStart;
  return withSentences.has(block.type) && block.charStart < before.charEnd && resumesAt < block.charEnd;
}
