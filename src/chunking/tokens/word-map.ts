import type { TokenMap } from '../token-counter.js';
import { CharacterKind } from './bert-characters.js';
import { unknownWord, type WordPieces } from './word-pieces.js';

const { Space, Lone, Surrogate } = CharacterKind;

/** The words of one text with running totals of their tokens: counting a slice costs two searches. */
export class WordMap implements TokenMap {
  readonly tokens: number;

  private constructor(
    private readonly text: string,
    private readonly pieces: WordPieces,
    /** Where each word starts. */
    private readonly starts: Uint32Array,
    /** Tokens before each word, and of the whole text at the end. */
    private readonly totals: Uint32Array,
    readonly unknownTokens: number,
    readonly exact: boolean,
  ) {
    this.tokens = totals[starts.length] ?? 0;
  }

  /** Reads the text once. */
  static of(text: string, pieces: WordPieces): WordMap {
    const words = new WordList(text.length);
    const { characters } = pieces;
    const { kinds } = characters;
    let at = 0;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      const kind = kinds[unit] || characters.kindOfUnit(unit);
      if (kind === Space) {
        at += 1;
      } else if (kind === Lone) {
        words.add(at, pieces.knows(unit) ? 1 : unknownWord);
        at += 1;
      } else if (kind === Surrogate && loneBeyond(text, at, pieces)) {
        words.add(at, unknownWord);
        at += 2;
      } else {
        words.add(at, pieces.read(text, at, text.length));
        at = pieces.end;
      }
    }
    const exact = !characters.dependsOnContext(text);
    return new WordMap(text, pieces, ...words.finish(), words.unknown, exact);
  }

  count(start: number, end: number): number {
    const first = this.wordFrom(start);
    const after = this.wordFrom(end);
    let tokens = this.pieces.isInside(this.text, start) ? this.tokensOf(start, end) : 0;
    if (after > first && this.pieces.isInside(this.text, end)) {
      tokens += this.between(first, after - 1) + this.tokensOf(this.starts[after - 1] ?? end, end);
    } else {
      tokens += this.between(first, after);
    }
    return tokens;
  }

  fit(start: number, end: number, budget: number): number {
    const first = this.wordFrom(start);
    const left = budget - (this.pieces.isInside(this.text, start) ? this.tokensOf(start, end) : 0);
    if (left < 0) return start;
    const after = this.wordFrom(end);
    const cut = after > first && this.pieces.isInside(this.text, end);
    const whole = this.lastWithin(first, cut ? after - 1 : after, left);
    if (whole < (cut ? after - 1 : after)) return this.starts[whole] ?? end;
    if (!cut) return end;
    const last = this.starts[whole] ?? end;
    return this.between(first, whole) + this.tokensOf(last, end) <= left ? end : last;
  }

  fitBack(start: number, end: number, budget: number): number {
    const first = this.wordFrom(start);
    const after = this.wordFrom(end);
    const cut = after > first && this.pieces.isInside(this.text, end);
    const whole = cut ? after - 1 : after;
    const left = budget - (cut ? this.tokensOf(this.starts[whole] ?? end, end) : 0);
    if (left < 0) return end;
    let low = first;
    let high = whole;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.between(middle, whole) <= left) high = middle;
      else low = middle + 1;
    }
    return Math.min(this.starts[low] ?? end, end);
  }

  /** Tokens of the rest of a word that is cut at `start`. */
  private tokensOf(start: number, end: number): number {
    const pieces = this.pieces.readPart(this.text, start, end);
    return pieces === unknownWord ? 1 : pieces;
  }

  private between(first: number, after: number): number {
    return after > first ? (this.totals[after] ?? 0) - (this.totals[first] ?? 0) : 0;
  }

  /** The first word that starts at `offset` or behind it. */
  private wordFrom(offset: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.starts[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last word of `[first, after]` before which at most `budget` tokens lie. */
  private lastWithin(first: number, after: number, budget: number): number {
    let low = first;
    let high = after;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.between(first, middle) <= budget) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Punctuation beyond U+FFFF is a word that no vocabulary of one-unit pieces knows; it is one token all the same. */
function loneBeyond(text: string, at: number, pieces: WordPieces): boolean {
  const codePoint = text.codePointAt(at) ?? 0;
  return codePoint > 0xffff && pieces.characters.kindOfCodePoint(codePoint) === Lone;
}

/** Words as they are found, in arrays that grow. */
class WordList {
  unknown = 0;
  private size = 0;
  private total = 0;
  private starts: Uint32Array;
  private totals: Uint32Array;

  constructor(textLength: number) {
    const expected = (textLength >> 2) + 16;
    this.starts = new Uint32Array(expected);
    this.totals = new Uint32Array(expected);
  }

  add(start: number, pieces: number): void {
    if (this.size + 1 >= this.starts.length) this.grow();
    this.starts[this.size] = start;
    this.totals[this.size] = this.total;
    this.size += 1;
    if (pieces === unknownWord) this.unknown += 1;
    this.total += pieces === unknownWord ? 1 : pieces;
  }

  finish(): [starts: Uint32Array, totals: Uint32Array] {
    this.totals[this.size] = this.total;
    return [this.starts.subarray(0, this.size), this.totals.subarray(0, this.size + 1)];
  }

  private grow(): void {
    const grown = (old: Uint32Array): Uint32Array => {
      const larger = new Uint32Array(old.length * 2);
      larger.set(old);
      return larger;
    };
    this.starts = grown(this.starts);
    this.totals = grown(this.totals);
  }
}
