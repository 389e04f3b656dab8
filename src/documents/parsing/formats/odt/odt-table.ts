import type { MergedRow } from '../../writing/merged-cells.js';
import { cellText } from '../../writing/pieces.js';
import { isLayout } from '../word-processing/layout-table.js';
import { KeptPieces, type PieceTarget } from '../word-processing/piece-target.js';

/** A cell while it is read, as often as it is repeated. */
export interface OdtCell {
  readonly columns: number;
  readonly rows: number;
  readonly repeats: number;
  /** Its text is set as that of names is. */
  isHeader: boolean;
  readonly content: KeptPieces;
}

interface OdtRow {
  readonly isHeader: boolean;
  readonly repeats: number;
  readonly cells: OdtCell[];
}

/** More copies of a row or cell are the rest of a sheet. */
const mostRepeats = 100;
/** Rows that are not empty; beyond them the table has come to its end. */
const mostCopies = 100_000;

/** A table while it is read. */
export class OdtTable {
  inHeader = false;
  private readonly rows: OdtRow[] = [];
  private copies = 0;

  openRow(repeats: number): void {
    this.rows.push({ isHeader: this.inHeader, repeats: Math.min(repeats, mostRepeats), cells: [] });
  }

  openCell(place: { readonly columns: number; readonly rows: number; readonly repeats: number }): OdtCell {
    const cell = { ...place, isHeader: false, content: new KeptPieces() };
    this.rows.at(-1)?.cells.push(cell);
    return cell;
  }

  giveTo(target: PieceTarget, page: number): void {
    if (isLayout(this.rows)) {
      for (const { content } of this.rows.flatMap(({ cells }) => cells)) content.giveTo(target);
      return;
    }
    const rows = this.rows.flatMap((row) => this.copiesOf(row));
    if (rows.length > 0) target.push({ kind: 'table', rows }, page);
  }

  private copiesOf({ isHeader, repeats, cells }: OdtRow): MergedRow[] {
    const own = cells.flatMap(({ content, columns, rows, repeats: times, isHeader: isName }) => {
      const text = cellText(content.pieces);
      // Empty cells only hold the place of others.
      if (text === '') return [{ text, columns: columns * times, rows }];
      this.copies += Math.min(times, mostRepeats);
      return Array.from({ length: Math.min(times, mostRepeats) }, () => ({ text, columns, rows, isHeader: isName }));
    });
    if (own.every(({ text, rows }) => text === '' && rows === 1))
      return own.length === 0 ? [] : [{ cells: own, isHeader }];
    this.copies += repeats * own.length;
    const times = this.copies > mostCopies ? 1 : repeats;
    return Array.from({ length: times }, () => ({ cells: own, isHeader }));
  }
}
