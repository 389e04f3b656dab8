import { Char, isBlankChar, skipBlanks } from './line-cursor.js';

/** Number of cells of a line as a table's head, or 0 if it cannot be one. */
export function headCells(text: string, from: number, end: number): number {
  let cells = 0;
  const beginsWithPipe = text.charCodeAt(from) === Char.Pipe;
  let cellIsDue = !beginsWithPipe;
  let marks = beginsWithPipe ? 0 : 1;
  for (let i = from; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (isBlankChar(code)) continue;
    marks += 1;
    if (cellIsDue) cells += 1;
    cellIsDue = code === Char.Pipe;
    if (code === Char.Backslash && i + 1 < end && isEscapable(text.charCodeAt(i + 1))) i += 1;
  }
  return marks > 1 ? cells : 0;
}

function isEscapable(code: number): boolean {
  return code === Char.Pipe || code === Char.Backslash;
}

/** Number of cells of a table's delimiter row such as `| :-- | --- |`, or 0 if the line is none. */
export function delimiterCells(text: string, from: number, end: number): number {
  let cells = 0;
  let isMarked = false;
  let i = from;
  if (text.charCodeAt(i) === Char.Pipe) {
    isMarked = true;
    i = skipBlanks(text, i + 1, end);
  }
  while (i < end) {
    const after = delimiterCell(text, i, end);
    if (after === undefined) return 0;
    if (text.charCodeAt(i) === Char.Colon || text.charCodeAt(after - 1) === Char.Colon) isMarked = true;
    cells += 1;
    i = skipBlanks(text, after, end);
    if (i === end) break;
    if (text.charCodeAt(i) !== Char.Pipe) return 0;
    isMarked = true;
    i = skipBlanks(text, i + 1, end);
  }
  return isMarked ? cells : 0;
}

/** The place behind one `:--:`, or undefined. */
function delimiterCell(text: string, from: number, end: number): number | undefined {
  let i = from;
  if (text.charCodeAt(i) === Char.Colon) i += 1;
  const dashes = i;
  while (i < end && text.charCodeAt(i) === Char.Dash) i += 1;
  if (i === dashes) return undefined;
  return i < end && text.charCodeAt(i) === Char.Colon ? i + 1 : i;
}
