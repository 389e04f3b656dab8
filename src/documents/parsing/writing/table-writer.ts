import type { DocumentWriter } from './document-writer.js';
import { firstRowIsHeader, headerSampleRows } from './table-header.js';

/** A table that is wider than this nobody can read as one. */
const mostColumns = 20;
const longestHeader = 1_000;

/** What a source says of the first row of a table: that it names the columns, that it does not, or nothing. */
export type HeaderRow = 'first' | 'none' | 'unknown';

/**
 * Writes a table row by row, in bounded memory: as a table, or with the name before each value where it is too wide to
 * be read as one. Whether the first row names the columns is told from the first rows if the source does not say so.
 */
export class TableWriter {
  private readonly waiting: (readonly string[])[] = [];
  private write: ((cells: readonly string[]) => void) | undefined;
  /** Names that no value was written behind yet. */
  private unused = new Set<string>();

  constructor(
    private readonly out: DocumentWriter,
    private readonly header: HeaderRow = 'unknown',
  ) {}

  row(cells: readonly string[]): void {
    if (this.write) return this.write(cells);
    this.waiting.push(cells);
    if (this.waiting.length > headerSampleRows) this.begin();
  }

  /** Writes what still waits; nothing if there were no rows. */
  end(): void {
    if (!this.write && this.waiting.length > 0) this.begin();
    // Names are worth keeping, even those of columns without values.
    this.out.paragraph([...this.unused].join('; '));
    this.unused.clear();
    this.out.closeTable();
    this.write = undefined;
  }

  private begin(): void {
    const rows = this.waiting.splice(0);
    const hasHeader = this.header === 'first' || (this.header === 'unknown' && firstRowIsHeader(rows));
    const columns = Math.max(...rows.map((row) => row.length));
    const names = hasHeader ? (rows.shift() ?? []) : [];
    const isWide = columns > mostColumns || names.join('').length > longestHeader;
    if (isWide) {
      this.unused = new Set(names.map((name) => name.trim()).filter((name) => name !== ''));
      this.write = (cells) => this.writeNamed(names, cells);
    } else {
      this.out.openTable(Array.from({ length: columns }, (_, i) => names[i] ?? ''));
      this.write = (cells) => this.out.row(cells);
    }
    for (const row of rows) this.write(row);
  }

  private writeNamed(names: readonly string[], cells: readonly string[]): void {
    const pairs = cells.flatMap((cell, i) => {
      const text = cell.replace(/\s+/gu, ' ').trim();
      if (text === '') return [];
      const name = names[i]?.trim() || `Column ${i + 1}`;
      this.unused.delete(name);
      return [`${name}: ${text}`];
    });
    this.out.paragraph(pairs.join('; '));
  }
}
