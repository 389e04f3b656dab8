import { mostColumns, type Area } from './cell-reference.js';
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
  private reaching: Reaching[] = [];

  constructor(areas: readonly Area[]) {
    this.areas = [...areas].sort((a, b) => a.firstRow - b.firstRow);
  }

  /** To be asked for each row that holds something, in order. */
  fillsOf(row: number, columns: readonly number[], texts: readonly string[]): readonly Fill[] {
    if (this.reaching.length === 0 && (this.areas[this.next]?.firstRow ?? Infinity) > row) return [];
    this.reaching = this.reaching.filter(({ lastRow }) => lastRow >= row);
    const fills: Fill[] = [...this.reaching];
    for (let area = this.areas[this.next]; area && area.firstRow <= row; area = this.areas[(this.next += 1)]) {
      const text = texts[columns.indexOf(area.firstColumn)] ?? '';
      if (area.firstRow < row || text === '' || text.length > longestCopied) continue;
      fills.push({ first: area.firstColumn + 1, last: area.lastColumn, text });
      // Areas do not overlap, so that no more than one reaches down in each column.
      if (area.lastRow > row && this.reaching.length < mostColumns) {
        this.reaching.push({ first: area.firstColumn, last: area.lastColumn, text, lastRow: area.lastRow });
      }
    }
    return fills;
  }
}
