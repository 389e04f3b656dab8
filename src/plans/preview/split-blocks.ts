import type { Block, BlockType } from '../../domain/text/block.js';
import type { Chunk } from '../../domain/text/chunk.js';

/**
 * How many blocks of a type no chunk of a level holds whole, although several hold parts of it. Blanks at the edge of a
 * block do not count as parts.
 *
 * @param chunks of one level, in order.
 */
export function countSplitBlocks(blocks: readonly Block[], type: BlockType, chunks: readonly Chunk[]): number {
  let count = 0;
  let first = 0;
  for (const block of blocks) {
    if (block.type !== type) continue;
    while (first < chunks.length && (chunks[first]?.charEnd ?? 0) <= block.charStart) first += 1;
    if (isSplit(block, chunks, first)) count += 1;
  }
  return count;
}

function isSplit(block: Block, chunks: readonly Chunk[], first: number): boolean {
  let parts = 0;
  for (let at = first; at < chunks.length; at += 1) {
    const chunk = chunks[at];
    if (!chunk || chunk.charStart >= block.charEnd) break;
    if (chunk.charStart <= block.charStart && chunk.charEnd >= block.charEnd) return false;
    if (ownsPartOf(block, chunk)) parts += 1;
  }
  return parts > 1;
}

/** True if the chunk, without its overlap, has something of the block that can be seen. */
function ownsPartOf(block: Block, chunk: Chunk): boolean {
  const from = Math.max(block.charStart, chunk.charStart + chunk.overlapStart);
  const to = Math.min(block.charEnd, chunk.charEnd);
  if (from >= to) return false;
  const codePoints = Array.from(chunk.text).slice(from - chunk.charStart, to - chunk.charStart);
  return codePoints.some((codePoint) => codePoint.trim() !== '');
}
