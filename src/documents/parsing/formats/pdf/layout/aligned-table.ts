import { cellsOf, type Line } from './line.js';
import { joinTexts } from './join-lines.js';
import { parseMark } from './list-mark.js';

/** A table that no lines rule, and how many lines of text it takes. */
export interface AlignedTable {
  readonly rows: readonly (readonly string[])[];
  readonly lineCount: number;
}

/** A line with its cells. */
export interface Row {
  readonly line: Line;
  readonly cells: readonly Line[];
}

interface Column {
  readonly left: number;
  readonly right: number;
}

const fewestRows = 3;
/** More than a page holds. */
const mostRows = 300;
/** Lines of one cell in a row: further lines of a text, or a title within the table. */
const mostSingle = 2;
/** Rows of which fewer cells are filled stand in no columns. */
const filledShare = 0.4;
/** Share of rows that may reach over the blank between two columns. */
const crossingShare = 0.15;
const alignedShare = 0.6;
const alignment = 0.4;
const longestCell = 80;
/** In sizes: rows further apart belong to different things. */
const rowGap = 3;
const nextLineGap = 1.35;

/** Lines with their cells. */
export function rowsOf(lines: readonly Line[]): Row[] {
  return lines.map((line) => ({ line, cells: cellsOf(line) }));
}

/** The table that begins with one of these lines, if they stand in columns. */
export function alignedTable(lines: readonly Row[], start: number): AlignedTable | undefined {
  const found = rowsFrom(lines, start);
  // The lines below the last row of several cells go with it if they continue it.
  const end = found.findLastIndex(({ cells }) => cells.length > 1) + 1;
  if (found.slice(0, end).filter(({ cells }) => cells.length > 1).length < fewestRows) return undefined;
  const columns = columnsOf(found.slice(0, end));
  const rows = [...found.slice(0, end), ...linesBelow(found, end, columns)];
  if (columns.length < 2 || !isTable(rows, columns)) return undefined;
  return { rows: textsOf(rows, columns), lineCount: rows.length };
}

/** Lines of several cells, with a few of one cell between them. */
function rowsFrom(lines: readonly Row[], start: number): Row[] {
  const rows: Row[] = [];
  let single = 0;
  for (const row of lines.slice(start, start + mostRows)) {
    const { line, cells } = row;
    const last = rows.at(-1)?.line;
    if (last && line.baseline - last.baseline > rowGap * Math.max(line.size, last.size)) break;
    single = cells.length > 1 ? 0 : single + 1;
    // Even letters keep their columns as they stand.
    if ((rows.length === 0 && single > 0) || single > mostSingle || line.isMono) break;
    rows.push(row);
  }
  return rows;
}

/** Further lines of the cells of the last row: near to it, and beside the first column. */
function linesBelow(rows: readonly Row[], end: number, [first]: readonly Column[]): Row[] {
  const below: Row[] = [];
  for (let i = end; i < rows.length; i += 1) {
    const [above, row] = [rows[i - 1]?.line, rows[i]];
    if (!above || !row || !first || row.line.left <= first.right) break;
    if (row.line.baseline - above.baseline > nextLineGap * row.line.size) break;
    below.push(row);
  }
  return below;
}

/** Columns are what lies between the blanks that nearly all rows leave. */
function columnsOf(rows: readonly Row[]): Column[] {
  const multi = rows.filter(({ cells }) => cells.length > 1);
  const edges = multi.flatMap(({ cells }) =>
    cells.flatMap(({ left, right }) => [
      { at: left, step: 1 },
      { at: right, step: -1 },
    ]),
  );
  edges.sort((a, b) => a.at - b.at || a.step - b.step);
  const columns: Column[] = [];
  const most = Math.floor(crossingShare * multi.length);
  const size = rows[0]?.line.size ?? 10;
  let covered = 0;
  let start: number | undefined;
  for (const { at, step } of edges) {
    covered += step;
    if (covered > most && start === undefined) start = at;
    else if (covered <= most && start !== undefined) {
      addColumn(columns, { left: start, right: at }, 0.5 * size);
      start = undefined;
    }
  }
  return columns;
}

function addColumn(columns: Column[], column: Column, narrowest: number): void {
  const last = columns.at(-1);
  if (last && column.left - last.right < narrowest) columns[columns.length - 1] = { ...last, right: column.right };
  else columns.push(column);
}

function isTable(rows: readonly Row[], columns: readonly Column[]): boolean {
  const cells = rows.flatMap((row) => row.cells);
  const first = rows.flatMap((row) => (row.cells.length > 1 ? [row.cells[0]?.text ?? ''] : []));
  if (first.every((text) => isMark(text))) return false;
  if (cells.length < filledShare * columns.length * first.length) return false;
  if (cells.reduce((sum, { text }) => sum + text.length, 0) > longestCell * cells.length) return false;
  return columns.every((column) => isAligned(cells.filter((cell) => columnsUnder(cell, columns)[0] === column)));
}

/** A mark alone: its text is the item of a list. */
function isMark(text: string): boolean {
  return parseMark(`${text} x`)?.rest === 'x';
}

/** Cells begin, end or have their middle below each other. */
function isAligned(cells: readonly Line[]): boolean {
  const places = [
    cells.map(({ left }) => left),
    cells.map(({ right }) => right),
    cells.map(({ left, right }) => (left + right) / 2),
  ];
  const near = alignment * (cells[0]?.size ?? 10);
  return places.some((values) => {
    const most = values.map((value) => values.filter((other) => Math.abs(other - value) <= near).length);
    return Math.max(0, ...most) >= alignedShare * values.length;
  });
}

function columnsUnder({ left, right }: Line, columns: readonly Column[]): Column[] {
  const under = columns.filter((column) => Math.min(right, column.right) - Math.max(left, column.left) > 0);
  if (under.length > 0) return under;
  const middle = (left + right) / 2;
  const away = ({ left: from, right: to }: Column): number => Math.abs((from + to) / 2 - middle);
  return [...columns].sort((a, b) => away(a) - away(b)).slice(0, 1);
}

function textsOf(rows: readonly Row[], columns: readonly Column[]): string[][] {
  const texts: string[][] = [];
  for (const [i, { line, cells }] of rows.entries()) {
    const own = columns.map((column) =>
      cells
        .filter((cell) => columnsUnder(cell, columns).includes(column))
        .reduce((text, cell) => joinTexts(text, cell.text), ''),
    );
    const above = rows[i - 1]?.line;
    const last = texts.at(-1);
    const isNear = above !== undefined && line.baseline - above.baseline <= nextLineGap * line.size;
    if (last && isNear && continues(own, cells.length))
      own.forEach((text, column) => (last[column] = joinTexts(last[column] ?? '', text)));
    else texts.push(own);
  }
  return texts;
}

/** The second line of a row: nothing in the first column, and words, not values, in the others. */
function continues(texts: readonly string[], cellCount: number): boolean {
  return (texts[0] === '' || cellCount === 1) && !texts.some((text) => /^[\s\d.,%$€£¥()+-]+$/.test(text));
}
