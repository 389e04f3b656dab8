import { decodeAs } from '../../text/encoding/known-encodings.js';
import { symbolOf } from '../ooxml/symbol-fonts.js';
import { decodeUnsaid, widthIn } from './code-pages.js';
import type { RtfFont } from './rtf-fonts.js';

const unknownSymbol = '\ufffd';
const asciiOnly = /^[\x00-\x7f]*$/;

/** Makes characters of the bytes and codes of a file, each in the encoding of its font. */
export class RtfCharacters {
  /** Characters of symbol fonts that nobody knows. */
  unknownSymbols = 0;
  private waiting: number[] = [];
  /** The bytes that wait end with the first half of a character. */
  private endsHalf = false;
  private font: RtfFont = {};
  /** Bytes that are still to be passed over: they stand for a character that was written in Unicode. */
  private substitutes = 0;

  /** @param ofDocument encoding of bytes in fonts that do not say their own. */
  constructor(public ofDocument: string) {}

  /** A text of the file: what of it can be read at once. */
  text(bytes: Buffer, font: RtfFont): string {
    const passed = Math.min(this.substitutes, bytes.length);
    this.substitutes -= passed;
    const left = bytes.subarray(passed);
    const text = left.toString('latin1');
    if (this.waiting.length === 0 && font.symbols === undefined && asciiOnly.test(text)) return text;
    let read = '';
    for (const byte of left) read += this.byte(byte, font, false);
    return read;
  }

  /** A byte that was written as its code, or stands in a text beyond ASCII. @returns what can be read before it */
  code(byte: number, font: RtfFont): string {
    if (this.substitutes > 0) {
      this.substitutes -= 1;
      return '';
    }
    return this.byte(byte, font, true);
  }

  /** A character in Unicode, with the number of bytes that stand for it elsewhere. */
  unicode(code: number, substitutes: number, font: RtfFont): string {
    const before = this.flush();
    this.substitutes = substitutes;
    // Some programs write what is beyond the first 65,536 characters as one.
    if (code > 0xffff) return before + String.fromCodePoint(Math.min(code, 0x10ffff));
    const unit = code & 0xffff;
    const isSymbol = (unit >= 0xf000 && unit <= 0xf0ff) || (font.symbols !== undefined && unit <= 0xff);
    return before + (isSymbol ? this.symbol(unit, font) : String.fromCharCode(unit));
  }

  /** A word or group ends what stands for a character. @returns what was not read yet */
  flush(): string {
    this.substitutes = 0;
    if (this.waiting.length === 0) return '';
    const bytes = Buffer.from(this.waiting);
    this.waiting = [];
    this.endsHalf = false;
    const { encoding } = this.font;
    return encoding === undefined ? decodeUnsaid(bytes, this.ofDocument) : decodeAs(bytes, encoding);
  }

  /** Passes over one of the bytes, if some are to be passed over. */
  pass(): boolean {
    if (this.substitutes === 0) return false;
    this.substitutes -= 1;
    return true;
  }

  private byte(byte: number, font: RtfFont, isCode: boolean): string {
    if (font.symbols !== undefined) return this.flush() + this.symbol(byte, font);
    if (font !== this.font) {
      const before = this.flush();
      this.font = font;
      return before + this.byte(byte, font, isCode);
    }
    const encoding = font.encoding ?? (isCode ? this.ofDocument : undefined);
    // A plain sign may be the second half of a character; else it ends those before it.
    const isHalf = this.endsHalf && encoding !== undefined;
    if (byte < 0x80 && !isHalf) return this.flush() + String.fromCharCode(byte);
    this.waiting.push(byte);
    this.endsHalf = !this.endsHalf && widthIn(encoding ?? this.ofDocument, byte) === 2;
    return '';
  }

  private symbol(code: number, { symbols = '' }: RtfFont): string {
    const known = symbolOf(symbols, code);
    if (known === undefined) this.unknownSymbols += 1;
    return known ?? unknownSymbol;
  }
}
