import type { CellDefinition, RowDefinition } from './rtf-table.js';

/** More cells no row has; what is behind them stands in the last one. */
const mostCells = 1_000;

/** The definition of rows while it is read. It holds until another one begins. */
export class RowDraft {
  private left = 0;
  private isHeader = false;
  private cells: CellDefinition[] = [];
  private continues: CellDefinition['continues'];

  begin(): void {
    this.left = 0;
    this.isHeader = false;
    this.cells = [];
    this.continues = undefined;
  }

  setLeft(left: number): void {
    this.left = left;
  }

  nameColumns(): void {
    this.isHeader = true;
  }

  /** The next cell goes on from another one. */
  goOn(from: 'above' | 'before'): void {
    this.continues = from;
  }

  /** Ends the definition of a cell by its right edge. */
  addCell(right: number): void {
    if (this.cells.length < mostCells) this.cells.push({ right, continues: this.continues });
    this.continues = undefined;
  }

  get definition(): RowDefinition {
    return { left: this.left, isHeader: this.isHeader, cells: this.cells };
  }
}
