import type { MergedCell, MergedRow } from '../../writing/merged-cells.js';
import { cellText } from '../../writing/pieces.js';
import { isLayout } from '../word-processing/layout-table.js';
import { KeptPieces, type PieceTarget } from '../word-processing/piece-target.js';

/** A cell while it is read. */
export interface CellDraft {
  /** Columns that it takes. */
  span: number;
  /** It goes on from the cell above, or from the one before it. */
  continues: 'above' | 'before' | undefined;
  isDeleted: boolean;
  readonly content: KeptPieces;
}

/** A row while it is read. */
export interface RowDraft {
  isHeader: boolean;
  isDeleted: boolean;
  /** Columns left free before its first cell. */
  before: number;
  readonly cells: CellDraft[];
}

type OwnCell = { -readonly [Key in keyof MergedCell]: MergedCell[Key] } & { columns: number; rows: number };

/** Word allows 63 columns. */
export const mostSpan = 100;

/** A table while it is read. */
export class TableDraft {
  /** The table asks for the special look of first rows, if its style has one. */
  asksForFirstRow = false;
  style: string | undefined;
  row: RowDraft | undefined;
  private readonly rows: RowDraft[] = [];

  openRow(): void {
    this.row = { isHeader: false, isDeleted: false, before: 0, cells: [] };
  }

  openCell(): CellDraft {
    const cell: CellDraft = { span: 1, continues: undefined, isDeleted: false, content: new KeptPieces() };
    this.row?.cells.push(cell);
    return cell;
  }

  closeRow(): void {
    if (this.row && !this.row.isDeleted) this.rows.push(this.row);
    this.row = undefined;
  }

  /** @param marksFirstRow its style sets the first row off from the others. */
  giveTo(target: PieceTarget, marksFirstRow: boolean): void {
    const [first] = this.rows;
    if (first && marksFirstRow && this.rows.length > 1) first.isHeader = true;
    if (isLayout(this.rows)) {
      for (const { content } of this.rows.flatMap(({ cells }) => cells)) content.giveTo(target);
      return;
    }
    const page = this.rows.flatMap(({ cells }) => cells).find(({ content }) => content.page !== undefined)
      ?.content.page;
    if (page !== undefined) target.push({ kind: 'table', rows: mergedRows(this.rows) }, page);
  }
}

/** Gives cells that are merged over rows their height, and leaves out those that only go on. */
function mergedRows(rows: readonly RowDraft[]): MergedRow[] {
  let above = new Map<number, OwnCell>();
  return rows.map(({ cells, isHeader, before }) => {
    const own: OwnCell[] = before > 0 ? [{ text: '', columns: before, rows: 1 }] : [];
    const placed = new Map<number, OwnCell>();
    let column = before;
    for (const { span, continues, isDeleted, content } of cells) {
      if (isDeleted) continue;
      const from = continues === 'above' ? above.get(column) : undefined;
      const last = own.at(-1);
      if (from) {
        from.rows += 1;
        placed.set(column, from);
      } else if (continues === 'before' && last) last.columns += span;
      else {
        const cell = { text: cellText(content.pieces), columns: span, rows: 1 };
        own.push(cell);
        placed.set(column, cell);
      }
      column += span;
    }
    above = placed;
    return { cells: own, isHeader };
  });
}
