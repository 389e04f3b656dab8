import { isSymbolFont } from '../ooxml/symbol-fonts.js';
import { encodingOfCharset, encodingOfPage } from './code-pages.js';

/** What a font makes of bytes. */
export interface RtfFont {
  /** Encoding of its bytes; that of the document if absent. */
  readonly encoding?: string;
  /** Its name, if it shows other characters than are written. */
  readonly symbols?: string;
}

const symbolCharset = 2;
const plain: RtfFont = {};

/** The fonts of a document, as its table lists them. */
export class RtfFonts {
  private readonly fonts = new Map<number, RtfFont>();
  private number = 0;
  private charset = 0;
  private page: number | undefined;

  /** Takes a word of the table. */
  say(word: string, number: number | undefined): void {
    if (word === 'f') {
      this.number = number ?? 0;
      this.charset = 0;
      this.page = undefined;
    } else if (word === 'fcharset') this.charset = number ?? 0;
    else if (word === 'cpg') this.page = number;
  }

  /** Ends an entry of the table by its name. */
  name(name: string): void {
    const words = name.trim();
    const encoding =
      (this.page === undefined ? undefined : encodingOfPage(this.page)) ?? encodingOfCharset(this.charset);
    const isSymbols = this.charset === symbolCharset || isSymbolFont(words);
    this.fonts.set(this.number, {
      ...(encoding === undefined ? {} : { encoding }),
      ...(isSymbols ? { symbols: words } : {}),
    });
  }

  get(number: number): RtfFont {
    return this.fonts.get(number) ?? plain;
  }
}
