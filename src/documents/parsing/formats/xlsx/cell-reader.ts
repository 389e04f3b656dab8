import type { CellFormats } from './cell-formats.js';
import { cellString } from './rich-text.js';
import { serialOf } from './serial-date.js';

/** What the cells of a workbook refer to, and what becomes of those that show nothing. */
export interface CellValues {
  readonly strings: readonly string[];
  readonly formats: CellFormats;
  /** A formula whose result is not in the file. */
  withoutValue(): void;
  /** A value that its format hides. */
  hiddenByFormat(): void;
}

/** Reads one cell at a time: its value as it is shown. */
export class CellReader {
  isOpen = false;
  private type = 'n';
  private style = 0;
  private value: string | undefined;
  private inline = '';
  private formula: string | undefined;
  private part: 'value' | 'inline' | 'formula' | undefined;
  private phonetic = 0;

  constructor(private readonly values: CellValues) {}

  open(type: string, style: number): void {
    this.isOpen = true;
    this.type = type;
    this.style = style;
    this.value = undefined;
    this.inline = '';
    this.formula = undefined;
    this.part = undefined;
    this.phonetic = 0;
  }

  openPart(name: string): void {
    if (name === 'x:v') {
      this.part = 'value';
      this.value ??= '';
    } else if (name === 'x:f') {
      this.part = 'formula';
      this.formula = '';
    } else if (name === 'x:t' && this.phonetic === 0) this.part = 'inline';
    else if (name === 'x:rPh') this.phonetic += 1;
  }

  closePart(name: string): void {
    this.part = undefined;
    if (name === 'x:rPh') this.phonetic -= 1;
  }

  text(text: string): void {
    if (this.part === 'value') this.value += text;
    else if (this.part === 'inline') this.inline += text;
    else if (this.part === 'formula') this.formula += text;
  }

  /** @returns the value as it is shown */
  close(): string {
    this.isOpen = false;
    const { value } = this;
    if (value === undefined && this.formula !== undefined && this.inline === '') {
      this.values.withoutValue();
      return this.formula === '' ? '' : `=${this.formula}`;
    }
    const written = value ?? '';
    const shown = this.shown(written);
    if (shown.trim() === '' && written.trim() !== '' && this.type !== 's') this.values.hiddenByFormat();
    return shown;
  }

  private shown(value: string): string {
    const { type } = this;
    if (type === 'n') return value === '' ? '' : this.format.number(value);
    if (type === 's') return this.format.text(this.values.strings[Number(value)] ?? '');
    if (type === 'inlineStr') return this.format.text(cellString(this.inline));
    if (type === 'str') return this.format.text(cellString(value));
    if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (type === 'd') {
      const serial = serialOf(value);
      return serial === undefined ? value : this.format.date(serial, value);
    }
    return value;
  }

  private get format(): ReturnType<CellFormats['ofStyle']> {
    return this.values.formats.ofStyle(this.style);
  }
}
