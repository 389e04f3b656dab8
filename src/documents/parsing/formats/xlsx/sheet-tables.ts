import type { DocumentWriter } from '../../writing/document-writer.js';
import { joinNames } from '../../writing/merged-table.js';
import { firstRowIsHeader, headerSampleRows } from '../../writing/table-header.js';
import { TableWriter } from '../../writing/table-writer.js';
import { textsBetween, type SheetRow } from './sheet-row.js';

interface OpenTable {
  readonly writer: TableWriter;
  readonly first: number;
  readonly last: number;
  readonly names: readonly string[] | undefined;
}

/** Rows of names above each other. */
const mostHeaderRows = 4;

/**
 * Writes the rows of a sheet as the tables that they form: blank rows part them, a cell alone above one is its caption.
 * Cells alone in one column are paragraphs. Only the first rows of a table are kept until it is clear what it is.
 */
export class SheetTables {
  private waiting: SheetRow[] = [];
  private table: OpenTable | undefined;
  /** The column of paragraphs that follow each other. */
  private lines: number | undefined;
  private lastRow = 0;

  constructor(
    private readonly out: DocumentWriter,
    /** Rows that the sheet itself takes for names of columns. */
    private readonly namesRow: (row: number) => boolean,
  ) {}

  row(row: SheetRow): void {
    if (row.number > this.lastRow + 1) this.end();
    this.lastRow = row.number;
    if (this.lines !== undefined && !isAlone(row, this.lines)) this.end();
    if (this.lines !== undefined) this.out.paragraph(row.texts.join('; '));
    else if (this.table) this.write(row, this.table);
    else {
      this.waiting.push(row);
      if (this.waiting.length > headerSampleRows) this.begin();
    }
  }

  end(): void {
    if (this.waiting.length > 0) this.begin();
    this.table?.writer.end();
    this.table = undefined;
    this.lines = undefined;
  }

  private begin(): void {
    const rows = this.waiting;
    this.waiting = [];
    while (rows.length > 1 && rows[0]?.columns.length === 1 && rows.some(({ columns }) => columns.length > 1)) {
      this.out.caption(rows.shift()?.texts[0] ?? '');
    }
    const column = rows[0]?.columns[0] ?? 0;
    const isTable =
      rows.length > 1 && (this.namesRow(rows[0]?.number ?? 0) || !rows.every((row) => isAlone(row, column)));
    if (isTable) this.beginTable(rows);
    else {
      this.lines = column;
      for (const { texts } of rows) this.out.paragraph(texts.join('; '));
    }
  }

  private beginTable(rows: readonly SheetRow[]): void {
    const first = Math.min(...rows.map(({ columns }) => columns[0] ?? 0));
    const last = Math.max(...rows.map(({ columns }) => columns.at(-1) ?? 0));
    const texts = rows.map((row) => textsBetween(row, first, last));
    const said = rows.slice(0, mostHeaderRows).findLastIndex(({ number }) => this.namesRow(number)) + 1;
    const named = said > 0 && said < rows.length ? said : firstRowIsHeader(texts) ? 1 : 0;
    this.table = this.open(first, last, named > 0 ? joinNames(texts.slice(0, named)) : undefined);
    for (const row of texts.slice(named)) this.table.writer.row(row);
  }

  private open(first: number, last: number, names: readonly string[] | undefined): OpenTable {
    const writer = new TableWriter(this.out, names ? 'first' : 'none');
    if (names) writer.row(names);
    return { writer, first, last, names };
  }

  private write(row: SheetRow, table: OpenTable): void {
    const first = Math.min(table.first, row.columns[0] ?? table.first);
    const last = Math.max(table.last, row.columns.at(-1) ?? table.last);
    if (first !== table.first || last !== table.last) this.table = this.widened(table, first, last);
    (this.table ?? table).writer.row(textsBetween(row, first, last));
  }

  /** A table goes on as a new one with the same names where its rows become wider. */
  private widened({ writer, names, ...before }: OpenTable, first: number, last: number): OpenTable {
    writer.end();
    const blanks = (count: number): string[] => Array.from({ length: count }, () => '');
    const wider = names && [...blanks(before.first - first), ...names, ...blanks(last - before.last)];
    return this.open(first, last, wider);
  }
}

/** Whether a row holds nothing but one cell in a column. */
function isAlone({ columns }: SheetRow, column: number): boolean {
  return columns.length === 1 && columns[0] === column;
}
