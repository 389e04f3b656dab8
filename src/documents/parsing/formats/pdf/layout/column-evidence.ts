import type { Flowing } from './columns.js';

/** Gutters in sizes, lines and letters by which columns of text are told from tables and chance. */
const narrowestGutter = 0.8;
const fewestLines = 3;
const fewestProseLines = 5;
const shortestColumnLine = 12;
const shortestProseLine = 15;
/** A line that reaches so far is full; in a text that flows, many are. */
const fullLine = 0.85;
const fullShare = 0.35;
const alignedShare = 0.8;

interface SideLine {
  readonly middle: number;
  left: number;
  right: number;
  letters: number;
}

/**
 * Whether two sides are columns of text rather than cells of a table: they were painted one after the other, or their
 * lines are as full as those of a text that flows.
 */
export function looksLikeColumns(
  { left, right }: { readonly left: readonly Flowing[]; readonly right: readonly Flowing[] },
  size: number,
): boolean {
  const gutter = leftEdge(right) - rightEdge(left);
  if (gutter < narrowestGutter * size) return false;
  const [leftLines, rightLines] = [linesIn(left), linesIn(right)];
  const fewest = Math.min(leftLines.length, rightLines.length);
  if (fewest < fewestLines) return false;
  const turns = turnsBetween(left, right);
  if (turns <= Math.max(1, 0.1 * (leftLines.length + rightLines.length))) return !isListOfPairs(leftLines, rightLines);
  return fewest >= fewestProseLines && isProse(leftLines) && isProse(rightLines);
}

/** How often painting went from one side to the other. */
function turnsBetween(left: readonly Flowing[], right: readonly Flowing[]): number {
  const sides = [...left.map(({ order }) => [order, 0]), ...right.map(({ order }) => [order, 1])];
  sides.sort(([a = 0], [b = 0]) => a - b);
  return sides.filter(([, side], i) => i > 0 && side !== sides[i - 1]?.[1]).length;
}

/** Short texts that stand line by line beside each other, painted column by column. */
function isListOfPairs(left: readonly SideLine[], right: readonly SideLine[]): boolean {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  const aligned = few.filter(({ middle }) => many.some((line) => Math.abs(line.middle - middle) < 1)).length;
  const isShort = lettersOf(left) < shortestColumnLine || lettersOf(right) < shortestColumnLine;
  return isShort && aligned >= alignedShare * few.length;
}

function isProse(lines: readonly SideLine[]): boolean {
  const width = Math.max(...lines.map(({ right }) => right)) - Math.min(...lines.map(({ left }) => left));
  const full = lines.filter(({ left, right }) => right - left >= fullLine * width).length;
  return full >= fullShare * lines.length && lettersOf(lines) >= shortestProseLine;
}

function lettersOf(lines: readonly SideLine[]): number {
  return lines.reduce((sum, { letters }) => sum + letters, 0) / lines.length;
}

/** Lines of one side, which is sorted from top to bottom. */
function linesIn(side: readonly Flowing[]): SideLine[] {
  const lines: SideLine[] = [];
  for (const { top, bottom, left, right, text } of side) {
    const middle = (top + bottom) / 2;
    const last = lines.at(-1);
    if (!last || middle - last.middle > (bottom - top) / 2) lines.push({ middle, left, right, letters: text.length });
    else {
      last.left = Math.min(last.left, left);
      last.right = Math.max(last.right, right);
      last.letters += text.length;
    }
  }
  return lines;
}

function leftEdge(items: readonly Flowing[]): number {
  return items.reduce((edge, { left }) => Math.min(edge, left), Infinity);
}

function rightEdge(items: readonly Flowing[]): number {
  return items.reduce((edge, { right }) => Math.max(edge, right), -Infinity);
}
