/** What one step through a file came to. */
export type RtfTokenKind = 'open' | 'close' | 'word' | 'text' | 'byte' | 'end';

const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Longer words and numbers no program writes. */
const longestWord = 40;
const longestNumber = 12;

/**
 * Goes through the bytes of an RTF file. What the last step came to stands in the fields: nothing is made anew for each of
 * the millions of steps of a large file.
 */
export class RtfTokens {
  /** A control word, or the sign of a control symbol. */
  word = '';
  /** The number behind a control word; undefined if there is none. */
  number: number | undefined;
  /** A byte that was written as its code. */
  byte = 0;
  /** Where the bytes of a text are. */
  start = 0;
  end = 0;
  private at: number;

  constructor(readonly bytes: Buffer) {
    this.at = Math.max(bytes.indexOf(openBrace), 0);
  }

  /** Takes the next step. Data in binary is passed over with the word that begins it. */
  next(): RtfTokenKind {
    while (this.bytes[this.at] === 0x0a || this.bytes[this.at] === 0x0d) this.at += 1;
    const byte = this.bytes[this.at];
    if (byte === undefined) return 'end';
    if (byte === openBrace || byte === closeBrace) {
      this.at += 1;
      return byte === openBrace ? 'open' : 'close';
    }
    return byte === backslash ? this.control() : this.text();
  }

  /** Whether nothing but blanks and zeros is left. */
  get isAtEnd(): boolean {
    for (let at = this.at; at < this.bytes.length; at += 1) {
      const byte = this.bytes[at] ?? 0;
      if (byte > 0x20 && byte !== closeBrace) return false;
    }
    return true;
  }

  private text(): 'text' {
    this.start = this.at;
    let { at } = this;
    for (let byte = this.bytes[at]; byte !== undefined && !isSpecial(byte); byte = this.bytes[at]) at += 1;
    this.end = at;
    this.at = at;
    return 'text';
  }

  private control(): RtfTokenKind {
    const sign = this.bytes[this.at + 1];
    if (sign === undefined) {
      this.at += 1;
      return 'end';
    }
    if (sign === 0x27) return this.code();
    if (!isLetter(sign)) {
      this.at += 2;
      this.word = sign === 0x0a || sign === 0x0d ? 'par' : String.fromCharCode(sign);
      this.number = undefined;
      return 'word';
    }
    let at = this.at + 1;
    const wordStart = at;
    while (isLetter(this.bytes[at]) && at - wordStart < longestWord) at += 1;
    this.word = this.bytes.toString('latin1', wordStart, at);
    at = this.readNumber(at);
    // One blank belongs to the word.
    if (this.bytes[at] === 0x20) at += 1;
    if (this.word === 'bin') at = Math.min(at + Math.max(this.number ?? 0, 0), this.bytes.length);
    this.at = at;
    return 'word';
  }

  private readNumber(start: number): number {
    let at = start + (this.bytes[start] === 0x2d ? 1 : 0);
    const digits = at;
    while (isDigit(this.bytes[at]) && at - digits < longestNumber) at += 1;
    this.number = at === digits ? undefined : Number(this.bytes.toString('latin1', start, at));
    return at === digits ? start : at;
  }

  private code(): RtfTokenKind {
    const code = this.bytes.toString('latin1', this.at + 2, this.at + 4);
    if (!/^[0-9a-f]{2}$/i.test(code)) {
      // Not a code: a word that means nothing, and what follows is read as it stands.
      this.at += 2;
      this.word = "'";
      this.number = undefined;
      return 'word';
    }
    this.at += 4;
    this.byte = parseInt(code, 16);
    return 'byte';
  }
}

function isSpecial(byte: number): boolean {
  return byte === backslash || byte === openBrace || byte === closeBrace || byte === 0x0a || byte === 0x0d;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
