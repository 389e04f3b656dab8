/** A cell as its source gives it: it may cover several columns and rows. */
export interface MergedCell {
  readonly text: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Marked by the source as the name of a column or row. */
  readonly isHeader?: boolean;
}

export interface MergedRow {
  /** Without the places that cells before them or above them cover. */
  readonly cells: readonly MergedCell[];
  /** Marked by the source as a row of names. */
  readonly isHeader?: boolean;
}

/** A row with one text for each column. */
export interface SpreadRow {
  readonly texts: readonly string[];
  readonly isHeader: boolean;
  /** One cell covers all columns. */
  readonly isFull: boolean;
}

interface PlacedCell {
  readonly text: string;
  readonly column: number;
  /** Columns that it covers. */
  readonly width: number;
}

const widestCell = 1_000;
/** More than any spreadsheet has. */
const mostColumns = 16_384;
/** Places of one table that get the text of a cell once more. */
const mostCopies = 1_000_000;
/** A text of this length is no value that is worth being repeated. */
const longestCopied = 2_000;

/**
 * Gives each place that a merged cell covers the cell's text. Columns in which no cell begins are none: careless sources
 * have cells that cover a hundred columns of a table with three. Rows without a cell of their own are left out.
 */
export function spreadCells(rows: readonly MergedRow[]): SpreadRow[] {
  const placed = placeCells(rows);
  const starts = new Set<number>();
  for (const cells of placed) for (const { column } of cells) starts.add(column);
  const columns = [...starts].sort((a, b) => a - b);
  const places = new Map(columns.map((column, i) => [column, i]));
  const isTable = columns.length <= mostColumns;
  let copies = 0;
  return rows.flatMap((row, i) => {
    if (row.cells.length === 0) return [];
    const isHeader = isHeaderRow(row);
    if (!isTable) return [{ texts: row.cells.map(({ text }) => text), isHeader, isFull: false }];
    const cells = placed[i] ?? [];
    const texts: string[] = Array.from({ length: columns.length }, () => '');
    let covered = 0;
    for (const { text, column, width } of cells) {
      const first = places.get(column) ?? 0;
      texts[first] = text;
      for (covered = first + 1; (columns[covered] ?? Infinity) < column + width; covered += 1) {
        if ((copies += 1) > mostCopies) break;
        texts[covered] = copyOf(text);
      }
    }
    return [{ texts, isHeader, isFull: cells.length === 1 && columns.length > 1 && covered === columns.length }];
  });
}

/** The cells of each row with their columns, together with those that reach into it from above. */
function placeCells(rows: readonly MergedRow[]): PlacedCell[][] {
  let reaching: { readonly cell: PlacedCell; readonly until: number }[] = [];
  let copies = 0;
  return rows.map(({ cells }, i) => {
    reaching = reaching.filter(({ until }) => until > i);
    copies += reaching.reduce((sum, { cell: { width } }) => sum + width, 0);
    if (copies > mostCopies) reaching = [];
    const row = reaching.map(({ cell }) => cell);
    const taken = new Set<number>();
    for (const { column, width } of row) for (let at = 0; at < width; at += 1) taken.add(column + at);
    let column = 0;
    for (const { text, columns = 1, rows: height = 1 } of cells) {
      while (taken.has(column)) column += 1;
      const width = Math.min(Math.max(columns, 1), widestCell);
      row.push({ text, column, width });
      if (height > 1) reaching.push({ cell: { text: copyOf(text), column, width }, until: i + height });
      column += width;
    }
    return row.sort((a, b) => a.column - b.column);
  });
}

function copyOf(text: string): string {
  return text.length > longestCopied ? '' : text;
}

/** Corners above the names of rows are often empty. */
function isHeaderRow({ cells, isHeader }: MergedRow): boolean {
  const filled = cells.filter((cell) => cell.isHeader || cell.text.trim() !== '');
  return (isHeader ?? false) || (filled.length > 0 && filled.every((cell) => cell.isHeader));
}
