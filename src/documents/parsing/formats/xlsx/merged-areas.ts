import type { Area } from './cell-reference.js';
import type { Fill } from './sheet-row.js';

interface Reaching extends Fill {
  readonly lastRow: number;
}

/** A text of this length is no value that is worth being repeated. */
const longestCopied = 2_000;

/** Tells, row by row, which columns show the text of a cell before or above them. */
export class MergedAreas {
  private readonly areas: readonly Area[];
  private next = 0;
  /** Areas that go on below, by their first column: real ones do not overlap. */
  private readonly reaching = new Map<number, Reaching>();

  constructor(areas: readonly Area[]) {
    this.areas = [...areas].sort((a, b) => a.firstRow - b.firstRow);
  }

  /** To be asked for each row that holds something, in order. */
  fillsOf(row: number, columns: readonly number[], texts: readonly string[]): readonly Fill[] {
    if (this.reaching.size === 0 && (this.areas[this.next]?.firstRow ?? Infinity) > row) return [];
    for (const [column, { lastRow }] of this.reaching) if (lastRow < row) this.reaching.delete(column);
    const fills: Fill[] = [...this.reaching.values()];
    const places = new Map(columns.map((column, i) => [column, i]));
    for (let area = this.areas[this.next]; area && area.firstRow <= row; area = this.areas[(this.next += 1)]) {
      const text = texts[places.get(area.firstColumn) ?? -1] ?? '';
      if (area.firstRow < row || text === '' || text.length > longestCopied) continue;
      fills.push({ first: area.firstColumn + 1, last: area.lastColumn, text });
      if (area.lastRow > row) {
        const { firstColumn: first, lastColumn: last, lastRow } = area;
        this.reaching.set(first, { first, last, text, lastRow });
      }
    }
    return fills;
  }
}
