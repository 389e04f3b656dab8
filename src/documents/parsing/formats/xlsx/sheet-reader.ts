import type { XmlAttributes, XmlHandler } from '../../containers/xml-events.js';
import { isOn, wholeNumber } from '../ooxml/values.js';
import { CellReader, type CellValues } from './cell-reader.js';
import { columnOf, mostColumns, mostRows } from './cell-reference.js';

/** Gets what is in a sheet, in its order. */
export interface SheetTarget {
  /** A row that holds something: its cells with their columns, from 0, in order. */
  row(number: number, columns: readonly number[], texts: readonly string[], isHidden: boolean): void;
  /** The row below which a sheet that is longer than its window moves. */
  frozenBelow(row: number): void;
  /** A line that is printed above or below each page, as it is written. */
  printed(text: string): void;
}

const printedLines = /^x:(?:odd|even|first)(?:Header|Footer)$/;

/** Reads the cells of a sheet as they come. */
export class SheetReader implements XmlHandler {
  private readonly cell: CellReader;
  private readonly hiddenColumns: boolean[] = [];
  private readonly usedHiddenColumns = new Set<number>();
  private rowNumber = 0;
  private rowIsHidden = false;
  private column = -1;
  private columns: number[] = [];
  private texts: string[] = [];
  private printed: string | undefined;

  constructor(
    values: CellValues,
    private readonly target: SheetTarget,
  ) {
    this.cell = new CellReader(values);
  }

  /** Hidden columns that hold something. */
  get hiddenColumnCount(): number {
    return this.usedHiddenColumns.size;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.cell.isOpen) return this.cell.openPart(name);
    if (name === 'x:c') this.openCell(attributes);
    else if (name === 'x:row') this.openRow(attributes);
    else if (name === 'x:col') this.noteColumns(attributes);
    else if (name === 'x:pane') this.notePane(attributes);
    else if (printedLines.test(name)) this.printed = '';
  }

  close(name: string): void {
    if (name === 'x:c') this.closeCell();
    else if (this.cell.isOpen) this.cell.closePart(name);
    else if (name === 'x:row') this.closeRow();
    else if (this.printed !== undefined) {
      this.target.printed(this.printed);
      this.printed = undefined;
    }
  }

  text(text: string): void {
    if (this.cell.isOpen) this.cell.text(text);
    else if (this.printed !== undefined) this.printed += text;
  }

  private openRow({ r, hidden }: XmlAttributes): void {
    const number = wholeNumber(r) ?? 0;
    this.rowNumber = number > this.rowNumber && number <= mostRows ? number : this.rowNumber + 1;
    this.rowIsHidden = hidden !== undefined && isOn(hidden);
    this.column = -1;
    this.columns = [];
    this.texts = [];
  }

  private openCell({ r, t, s }: XmlAttributes): void {
    const column = r === undefined ? -1 : columnOf(r);
    this.column = column > this.column ? column : this.column + 1;
    this.cell.open(t ?? 'n', s === undefined ? 0 : Number(s));
  }

  private closeCell(): void {
    const text = this.cell.close();
    if (text.trim() === '' || this.column >= mostColumns) return;
    this.columns.push(this.column);
    this.texts.push(text);
    if (this.hiddenColumns[this.column]) this.usedHiddenColumns.add(this.column);
  }

  private closeRow(): void {
    if (this.columns.length > 0) this.target.row(this.rowNumber, this.columns, this.texts, this.rowIsHidden);
  }

  private noteColumns({ min, max, hidden }: XmlAttributes): void {
    if (hidden === undefined || !isOn(hidden)) return;
    const last = Math.min(wholeNumber(max) ?? 0, mostColumns);
    for (let column = Math.max(wholeNumber(min) ?? 1, 1); column <= last; column += 1)
      this.hiddenColumns[column - 1] = true;
  }

  private notePane({ ySplit, state }: XmlAttributes): void {
    const row = wholeNumber(ySplit);
    if (row !== undefined && /frozen/i.test(state ?? '')) this.target.frozenBelow(row);
  }
}
