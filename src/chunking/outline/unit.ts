import type { BlockType } from '../../domain/text/block.js';
import { dropBlanks, skipBlanks } from '../text/blanks.js';

/** A block of a text in UTF-16 units. A unit reaches up to the start of the next, so that units leave no gap. */
export interface Unit {
  readonly type: BlockType;
  /** Heading level, or nesting depth of a list item; 0 where there is none. */
  readonly depth: number;
  readonly start: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** End of what must not stand alone at the top: an opening fence, the head of a table. `contentStart` if nothing. */
  readonly headEnd: number;
  /** Start of what must not stand alone at the bottom: a closing fence. `contentEnd` if nothing. */
  readonly tailStart: number;
  readonly page: number | undefined;
  /** Index of the section it belongs to; a heading belongs to the section that it opens. */
  readonly section: number;
}

const fence = /^(?:`{3,}|~{3,})/;
const closingFence = /^[\s>]*(?:`{3,}|~{3,})[ \t]*$/;

/** End of the opening fence or table head of a block, blanks behind it included. */
export function headEndOf(type: BlockType, text: string, start: number, end: number): number {
  if (type === 'code' && fence.test(text.slice(start, start + 3)))
    return skipBlanks(text, lineEnd(text, start, end), end);
  if (type === 'table') return tableHeadEnd(text, start, end);
  return start;
}

/** Start of the closing fence of a block, blanks before it included. */
export function tailStartOf(type: BlockType, text: string, start: number, end: number): number {
  if (type !== 'code' || !fence.test(text.slice(start, start + 3))) return end;
  const lastLine = text.slice(start, end).lastIndexOf('\n') + start;
  return lastLine > start && closingFence.test(text.slice(lastLine, end)) ? dropBlanks(text, start, lastLine) : end;
}

/** A GFM table has a line of names and a line of dashes. */
function tableHeadEnd(text: string, start: number, end: number): number {
  const names = lineEnd(text, start, end);
  const dashes = lineEnd(text, names + 1, end);
  const line = text.slice(names, dashes);
  return line.includes('-') && /^[\s|:>-]+$/.test(line) ? skipBlanks(text, dashes, end) : start;
}

function lineEnd(text: string, start: number, end: number): number {
  const found = text.indexOf('\n', start);
  return found < 0 ? end : Math.min(found, end);
}
