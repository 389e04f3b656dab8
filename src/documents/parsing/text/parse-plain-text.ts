import { BlockList } from '../markdown/block-list.js';
import type { PackedBlocks } from '../packed-blocks.js';
import { safeCut } from './safe-cut.js';
import { isBlankBetween, isSpaceAt } from './white-space.js';

/** UTF-16 units of a block; a text may be one line of any length. */
const longestBlock = 16_000;

/**
 * Paragraphs of a normalised plain text: what stands between blank lines. One that is too long is cut at the last line
 * end before the limit, else at a blank, else between two characters that do not belong together.
 *
 * @param mostBlocks a text with more is refused.
 * @throws AppError TOO_LARGE
 */
export function parsePlainText(text: string, mostBlocks: number): PackedBlocks {
  const blocks = new BlockList(text, mostBlocks);
  let start = -1;
  let end = 0;
  for (let line = 0; line < text.length;) {
    const lineEnd = text.indexOf('\n', line);
    const stop = lineEnd === -1 ? text.length : lineEnd;
    const isBlank = isBlankBetween(text, line, stop);
    if (isBlank && start >= 0) {
      addParagraph(blocks, text, start, end);
      start = -1;
    } else if (!isBlank) {
      if (start < 0) start = line;
      end = stop;
    }
    line = stop + 1;
  }
  if (start >= 0) addParagraph(blocks, text, start, end);
  return blocks.toPacked();
}

function addParagraph(blocks: BlockList, text: string, start: number, end: number): void {
  let from = start;
  while (end - from > longestBlock) {
    const cut = cutPlace(text, from, from + longestBlock);
    addTrimmed(blocks, text, from, cut);
    from = cut;
  }
  addTrimmed(blocks, text, from, end);
}

/** A line end or blank is only worth looking for where the block stays of a useful length. */
function cutPlace(text: string, from: number, limit: number): number {
  const half = from + longestBlock / 2;
  const lineEnd = text.lastIndexOf('\n', limit - 1);
  if (lineEnd > half) return lineEnd + 1;
  for (let at = limit; at > half; at -= 1) {
    if (/\s/.test(text.charAt(at - 1))) return at;
  }
  return safeCut(text, limit);
}

function addTrimmed(blocks: BlockList, text: string, start: number, end: number): void {
  let [first, behind] = [start, end];
  while (first < behind && isSpaceAt(text, first)) first += 1;
  while (behind > first && isSpaceAt(text, behind - 1)) behind -= 1;
  if (first < behind) blocks.add({ type: 'paragraph' }, first, behind);
}
