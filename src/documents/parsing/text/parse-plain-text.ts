import type { Block } from '../../../domain/text/block.js';
import { BlockList } from '../markdown/block-list.js';
import { safeCut } from './safe-cut.js';

/** UTF-16 units of a block; a text may be one line of any length. */
const longestBlock = 16_000;

/**
 * Paragraphs of a normalised plain text: what stands between blank lines. One that is too long is cut at the last line
 * end before the limit, else at a blank, else between two characters that do not belong together.
 *
 * @param mostBlocks a text with more is refused.
 * @throws AppError TOO_LARGE
 */
export function parsePlainText(text: string, mostBlocks: number): Block[] {
  const blocks = new BlockList(text, mostBlocks);
  let start = -1;
  let end = 0;
  for (let line = 0; line < text.length;) {
    const lineEnd = text.indexOf('\n', line);
    const stop = lineEnd === -1 ? text.length : lineEnd;
    const isBlank = !/\S/.test(text.slice(line, stop));
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
  return blocks.toBlocks();
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
  const piece = text.slice(start, end);
  const trimmed = piece.trim();
  if (trimmed === '') return;
  const lead = piece.indexOf(trimmed.charAt(0));
  blocks.add({ type: 'paragraph' }, start + lead, start + lead + trimmed.length);
}
