import type { Line } from './line.js';
import { isRightToLeft } from './visual-order.js';

/** A line, measured along the direction in which its column is read. */
export interface FlowLine {
  readonly line: Line;
  /** Where it begins; greater is further in. */
  readonly start: number;
  readonly end: number;
  /** Length of its first word, or of the first letters of a script without blanks. */
  readonly firstWord: number;
  /** From the baseline of the line before; none for the first. */
  readonly pitch: number | undefined;
}

/** Where lines begin and end, at most. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** In sizes: what counts as further in. */
export const indentation = 0.7;
/** In sizes: how much room a line must leave, beside the next word, to have been ended on purpose. */
const spareRoom = 0.6;
const wideStart = /^[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\p{Script=Han}]/u;

/** The lines of a column with their measures along its direction. */
export function flowOf(lines: readonly Line[]): FlowLine[] {
  const isTurned = isRightToLeft(lines.map(({ text }) => text).join(' '));
  return lines.map((line, i) => {
    const before = lines[i - 1];
    return {
      line,
      start: isTurned ? -line.right : line.left,
      end: isTurned ? -line.left : line.right,
      firstWord: firstWordOf(line),
      pitch: before && line.baseline - before.baseline,
    };
  });
}

export function extentOf(lines: readonly FlowLine[]): Extent {
  const extent = { start: Infinity, end: -Infinity };
  for (const { start, end } of lines) {
    extent.start = Math.min(extent.start, start);
    extent.end = Math.max(extent.end, end);
  }
  return extent;
}

/** A line could have held the first word of the next one: somebody ended it. */
export function hasRoom(before: FlowLine, flow: FlowLine, edge: number): boolean {
  return edge - before.end > flow.firstWord + spareRoom * flow.line.size;
}

/** Both have one middle, and neither begins below the other. */
export function isCentred(before: FlowLine, flow: FlowLine, edge: number): boolean {
  const apart = (before.start + before.end) / 2 - (flow.start + flow.end) / 2;
  return Math.abs(apart) < 0.3 * flow.line.size && Math.abs(before.start - flow.start) > 1 && flow.end < edge + 1;
}

function firstWordOf({ text, left, right, size }: Line): number {
  if (wideStart.test(text)) return 2 * size;
  const blank = text.search(/\s/);
  const share = blank < 0 ? 1 : blank / text.length;
  return share * (right - left);
}
