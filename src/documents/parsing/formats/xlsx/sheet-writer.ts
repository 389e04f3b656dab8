import type { DocumentWriter } from '../../writing/document-writer.js';
import type { Omissions } from '../../writing/omissions.js';
import { writePieces, type Piece } from '../../writing/pieces.js';
import { omitted } from '../ooxml/omitted.js';
import type { Area } from './cell-reference.js';
import { MergedAreas } from './merged-areas.js';
import { omittedInSheets } from './omitted-sheets.js';
import type { SheetTarget } from './sheet-reader.js';
import { SheetTables } from './sheet-tables.js';
import type { Sheet } from './workbook.js';

/** Codes in printed lines: fonts, sizes, colours, the number of the page, the parts of the line. */
const printCodes = /&(?:"[^"]*"|K[0-9A-F]{6}|K\d\d[+-]\d{3}|\d+|[A-Z]|&)/gi;

/** Writes a sheet under its name, once it turns out to hold something. */
export class SheetWriter implements SheetTarget {
  private readonly merged: MergedAreas;
  private readonly tables: SheetTables;
  private readonly nameRows: Set<number>;
  private isBegun = false;

  constructor(
    private readonly sheet: Sheet,
    private readonly out: DocumentWriter,
    private readonly omissions: Omissions,
    { merged, named }: { readonly merged: readonly Area[]; readonly named: readonly Area[] },
  ) {
    this.merged = new MergedAreas(merged);
    this.nameRows = new Set(named.map(({ firstRow }) => firstRow));
    this.tables = new SheetTables(out, (row) => this.nameRows.has(row));
  }

  row(number: number, columns: readonly number[], texts: readonly string[], isHidden: boolean): void {
    this.begin();
    if (isHidden) this.omissions.add(omittedInSheets.hiddenRows, { place: this.sheet.name });
    this.tables.row({ number, columns, texts, fills: this.merged.fillsOf(number, columns, texts) });
  }

  frozenBelow(row: number): void {
    this.nameRows.add(row);
  }

  printed(text: string): void {
    const words = text.replace(printCodes, ' ').trim();
    if (words !== '') this.omissions.add(omitted.headers, { text: words, place: this.sheet.name });
  }

  /** @param pieces that lie over the cells */
  end(pieces: readonly Piece[]): void {
    this.tables.end();
    const said = pieces.filter((piece) => 'text' in piece && piece.text.trim() !== '');
    if (said.length > 0) this.begin();
    writePieces(said, this.out);
    if (!this.isBegun) this.omissions.add(omittedInSheets.emptySheets, { place: this.sheet.name });
  }

  private begin(): void {
    if (this.isBegun) return;
    this.isBegun = true;
    const { name, number, isHidden } = this.sheet;
    this.out.turnTo(number);
    this.out.heading(1, name);
    if (isHidden) this.omissions.add(omittedInSheets.hiddenSheets, { place: name });
  }
}
