import { corrupt } from '../../read-limits.js';

/** A piece of a JSON text: a mark of its structure, a string with what it says, or another scalar as it is written. */
export type JsonToken =
  | { readonly type: 'mark'; readonly mark: JsonMark }
  | { readonly type: 'string' | 'scalar'; readonly text: string }
  | { readonly type: 'end' };
export type JsonMark = '{' | '}' | '[' | ']' | ',' | ':';

const blank = /[\s\ufeff]*/y;
const mark = /[{}[\],:]/y;
/** With line ends, which many writers leave as they are. */
const string = /"([^"\\]*(?:\\[^][^"\\]*)*)"/y;
/** As RFC 8259 writes them, and what some writers put for numbers that are none. */
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity)(?![\w.])/y;
const control = /[\u0000-\u001f]/g;

/** Reads a JSON text token by token. Numbers stay as they are written: none loses digits. */
export class JsonTokens {
  private at = 0;

  constructor(private readonly text: string) {}

  /** @throws AppError CORRUPT, with the line that is no JSON. */
  next(): JsonToken {
    this.take(blank);
    if (this.at >= this.text.length) return { type: 'end' };
    const start = this.at;
    const structure = this.take(mark);
    if (structure) return { type: 'mark', mark: structure[0] as JsonMark };
    const quoted = this.take(string);
    if (quoted) return { type: 'string', text: this.decoded(quoted[1] ?? '', start) };
    const plain = this.take(scalar);
    if (plain) return { type: 'scalar', text: plain[0] };
    throw this.notJson(start);
  }

  /** The error of the token that was read last, or of the one at a place. */
  notJson(at = this.at): Error {
    let line = 1;
    for (let end = this.text.indexOf('\n'); end >= 0 && end < at; end = this.text.indexOf('\n', end + 1)) line += 1;
    return corrupt(`line ${line} is not JSON`);
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private decoded(written: string, at: number): string {
    if (!written.includes('\\') && written.search(control) < 0) return written;
    const escaped = written.replace(control, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
    try {
      return JSON.parse(`"${escaped}"`) as string;
    } catch {
      throw this.notJson(at);
    }
  }
}
