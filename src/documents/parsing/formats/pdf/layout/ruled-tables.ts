import type { Box, TextPiece } from '../content/page-content.js';
import type { MergedCell, MergedRow } from '../../../writing/merged-cells.js';
import { gridsOf, type Grid, type TableRules } from './grid.js';
import { joinLines } from './join-lines.js';
import { linesOf } from './rows.js';
import { splitPiece } from './split-piece.js';
import { isRightToLeft } from './visual-order.js';

/** A table as a whole, as one thing among the texts of a page. */
export interface FoundTable extends Box {
  readonly rows: readonly MergedRow[];
  readonly order: number;
  readonly size: number;
  /** Its text is in its rows. */
  readonly text: '';
}

/** A page with more is a drawing. */
const mostTables = 200;
/** A grid in which less than this share of the cells has text is a drawing, or paper to write on. */
const fewestFilled = 0.2;
/** Lines of a row without a rule between them are rows of their own if they are at least so many. */
const fewestHiddenRows = 3;
/** More than a page holds. */
const mostHiddenRows = 300;
const hiddenRowShare = 0.8;
const flowingLine = 0.75;

/** The tables that lines on a page form, and the pieces that are in none. */
export function ruledTables(
  pieces: readonly TextPiece[],
  rules: TableRules,
): { readonly tables: readonly FoundTable[]; readonly others: readonly TextPiece[] } {
  let others = pieces;
  const tables: FoundTable[] = [];
  for (const grid of gridsOf(rules).slice(0, mostTables)) {
    const inside = others.filter((piece) => isInside(grid, piece));
    const cells = cellsOf(grid, inside);
    if (!isTable(cells)) continue;
    const taken = new Set(inside);
    others = others.filter((piece) => !taken.has(piece));
    tables.push(tableOf(grid, cells, inside));
  }
  return { tables, others };
}

function tableOf(grid: Grid, cells: readonly (readonly TextPiece[])[][], inside: readonly TextPiece[]): FoundTable {
  const { left, right, top, bottom } = grid;
  const rows = grid.cells.flatMap((row, i) => {
    const own = cells[i] ?? [];
    const below = grid.cells[i + 1];
    const isMerged = row.some((cell, column) => cell !== i * row.length + column || below?.[column] === cell);
    if (isMerged) return [mergedRow(grid, i, own)];
    const parted = hiddenRows(own, grid) ?? [own];
    return parted.map((texts) => ({ cells: texts.map((pieces) => ({ text: cellText(pieces) })) }));
  });
  const isTurned = isRightToLeft(inside.map(({ text }) => text).join(''));
  const order = inside.reduce((first, piece) => Math.min(first, piece.order), Infinity);
  const size = inside[0]?.size ?? 10;
  const read = isTurned ? rows.map((row) => ({ cells: [...row.cells].reverse() })) : rows;
  return { left, right, top, bottom, order, size, text: '', rows: read };
}

/** A row with cells that cover others: those of the cells that begin in it. */
function mergedRow({ cells }: Grid, row: number, own: readonly (readonly TextPiece[])[]): MergedRow {
  const ids = cells[row] ?? [];
  return {
    cells: ids.flatMap((id, column): MergedCell[] => {
      if (id !== row * ids.length + column) return [];
      const columns = ids.filter((other) => other === id).length;
      const rows = cells.filter((others) => others[column] === id).length;
      return [{ text: cellText(own[column] ?? []), columns, rows }];
    }),
  };
}

function cellText(pieces: readonly TextPiece[]): string {
  return joinLines(linesOf(pieces)).replaceAll('\n', ' ');
}

/** Pieces of each cell. A merged cell's are in all places that it covers. */
function cellsOf(grid: Grid, inside: readonly TextPiece[]): TextPiece[][][] {
  const { xs, ys, cells } = grid;
  const contents = new Map<number, TextPiece[]>();
  for (const piece of inside.flatMap((whole) => splitPiece(whole, partingEdges(grid, whole)))) {
    const column = intervalOf(xs, (piece.left + piece.right) / 2);
    const row = intervalOf(ys, (piece.top + piece.bottom) / 2);
    const cell = cells[row]?.[column] ?? 0;
    const content = contents.get(cell);
    if (content) content.push(piece);
    else contents.set(cell, [piece]);
  }
  return cells.map((row) => row.map((cell) => contents.get(cell) ?? []));
}

/** Edges within a piece at which the cells of its row are parted. */
function partingEdges({ xs, ys, cells }: Grid, { left, right, top, bottom }: Box): number[] {
  const row = cells[intervalOf(ys, (top + bottom) / 2)] ?? [];
  return xs.filter((x, i) => x > left + 1 && x < right - 1 && row[i - 1] !== row[i]);
}

function isTable(cells: readonly (readonly (readonly TextPiece[])[])[]): boolean {
  const filled = cells.flat().filter((cell) => cell.length > 0).length;
  const columns = cells[0]?.filter((_, column) => cells.some((row) => (row[column]?.length ?? 0) > 0)).length ?? 0;
  return columns > 1 && filled >= fewestFilled * cells.flat().length;
}

/** Rows between which no line is drawn: what stands on one line, in several columns, again and again. */
function hiddenRows(row: readonly (readonly TextPiece[])[], { xs }: Grid): TextPiece[][][] | undefined {
  const lines = linesOf(row.flat());
  if (lines.length < fewestHiddenRows || lines.length > mostHiddenRows) return undefined;
  const split = lines.map((line) => {
    const pieces = new Set(line.pieces);
    return row.map((cell) => cell.filter((piece) => pieces.has(piece)));
  });
  const shared = split.filter((cells) => cells.filter((cell) => cell.length > 0).length > 1).length;
  const isFlowing = row.some((cell, column) => {
    const width = (xs[column + 1] ?? 0) - (xs[column] ?? 0);
    const full = linesOf(cell).filter(({ left, right }) => right - left > flowingLine * width).length;
    return full > 1;
  });
  return shared >= hiddenRowShare * lines.length && !isFlowing ? split : undefined;
}

function intervalOf(edges: readonly number[], at: number): number {
  const next = edges.findIndex((edge) => edge > at);
  return next < 0 ? edges.length - 2 : Math.max(next - 1, 0);
}

function isInside({ left, right, top, bottom }: Box, piece: Box): boolean {
  const [x, y] = [(piece.left + piece.right) / 2, (piece.top + piece.bottom) / 2];
  return x > left && x < right && y > top && y < bottom;
}
