import type { XmlAttributes, XmlHandler } from '../../containers/xml-events.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { wholeNumber } from '../ooxml/values.js';
import { ValueFormat } from '../ooxml/value-format.js';

/** More than any workbook has. */
const mostFormats = 100_000;

/** How the cells of a workbook show their values, by the number of their style. */
export class CellFormats implements XmlHandler {
  private readonly codes = new Map<number, string>();
  private readonly ids: number[] = [];
  private readonly formats = new Map<number, ValueFormat>();
  private inCellFormats = false;

  constructor(private readonly countsFrom1904: boolean) {}

  /** Reads the part that holds the styles. */
  async read(pack: OfficePackage, part: string): Promise<void> {
    await pack.events(part, this);
  }

  /** @param style as a cell gives it; without one its value stands as it is. */
  ofStyle(style: number): ValueFormat {
    const id = this.ids[style] ?? 0;
    const known = this.formats.get(id);
    if (known) return known;
    const format = new ValueFormat(id, this.codes.get(id), this.countsFrom1904);
    this.formats.set(id, format);
    return format;
  }

  open(name: string, attributes: XmlAttributes): void {
    const id = wholeNumber(attributes['numFmtId']);
    if (name === 'x:cellXfs') this.inCellFormats = true;
    else if (name === 'x:numFmt' && id !== undefined && this.codes.size < mostFormats) {
      this.codes.set(id, attributes['formatCode'] ?? '');
    } else if (name === 'x:xf' && this.inCellFormats && this.ids.length < mostFormats) this.ids.push(id ?? 0);
  }

  close(name: string): void {
    if (name === 'x:cellXfs') this.inCellFormats = false;
  }
}
