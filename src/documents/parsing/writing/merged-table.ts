import type { DocumentWriter } from './document-writer.js';
import { spreadCells, type MergedRow, type SpreadRow } from './merged-cells.js';
import { TableWriter, type HeaderRow } from './table-writer.js';

/** Rows of names above each other that are read together. */
const mostHeaderRows = 10;

/**
 * Writes a table whose cells may cover several columns and rows: each place gets the text of the cell that covers it.
 * Names in several rows become one, `Sales / Q1`. A first cell that covers all columns is the table's caption.
 */
export function writeMergedTable(rows: readonly MergedRow[], out: DocumentWriter): void {
  const spread = spreadCells(rows);
  while (spread.length > 1 && spread[0]?.isFull) out.caption(spread.shift()?.texts[0] ?? '');
  const names = headerRows(spread);
  const body = spread.slice(names.length);
  const table = new TableWriter(out, names.length > 0 ? 'first' : withoutHeader(rows));
  if (names.length > 0) table.row(joinNames(names.map(({ texts }) => texts)));
  // A row without a word is a line to be filled in by hand.
  for (const { texts } of body) if (texts.some((text) => text.trim() !== '')) table.row(texts);
  table.end();
}

/** A table within a cell of another one: its cells with commas between them, its rows with semicolons. */
export function mergedTableText(rows: readonly MergedRow[]): string {
  const lines = rows.map(({ cells }) =>
    cells
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join(', '),
  );
  return lines.filter((line) => line !== '').join('; ');
}

/** Rows of names at the top; never all rows of a table. */
function headerRows(rows: readonly SpreadRow[]): SpreadRow[] {
  const end = rows.findIndex(({ isHeader }) => !isHeader);
  return rows.slice(0, end < 0 ? 1 : Math.min(end, mostHeaderRows)).filter(({ isHeader }) => isHeader);
}

/** Names of columns in several rows as one for each column. */
export function joinNames(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((texts) => texts.length));
  return Array.from({ length: columns }, (_, i) => {
    const names = rows.map((texts) => texts[i]?.trim() ?? '').filter((name) => name !== '');
    return [...new Set(names)].join(' / ');
  });
}

/** Where cells are marked as names of rows, but none as names of columns, there are none. */
function withoutHeader(rows: readonly MergedRow[]): HeaderRow {
  return rows.some(({ cells }) => cells.some(({ isHeader }) => isHeader)) ? 'none' : 'unknown';
}
