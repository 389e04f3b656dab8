import { CharacterKind, type BertCharacters } from './bert-characters.js';
import type { PieceTrie } from './piece-trie.js';

/** What {@link WordPieces.read} gives for a word that is one unknown token. */
export const unknownWord = -1;

const cachedWords = 20_000;
const longestCachedWord = 100;
const known = 1;
const unknown = 2;
const { Surrogate, Word, Dropped } = CharacterKind;
const unchanged = (): Uint16Array => Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);

/**
 * Cuts words into the pieces of a vocabulary, longest first, and counts them. Plain words are read where they stand;
 * words that have to be normalised as a whole are remembered, up to a bound.
 */
export class WordPieces {
  /** Where the word that was read last ended. */
  end = 0;
  private readonly loneUnits = new Uint8Array(0x10000);
  private readonly identity = unchanged();
  private readonly complexWords = new Map<string, number>();

  constructor(
    readonly characters: BertCharacters,
    private readonly trie: PieceTrie,
    private readonly longestWord: number,
  ) {}

  /** Pieces of the word that begins at `start` and ends before `limit`, or {@link unknownWord}. Sets {@link end}. */
  read(text: string, start: number, limit: number): number {
    return this.scan(text, start, limit, false);
  }

  /** Like {@link read}, but looks at no more of a long word than tells its pieces. Leaves {@link end} undefined. */
  readPart(text: string, start: number, limit: number): number {
    return this.scan(text, start, limit, true);
  }

  private scan(text: string, start: number, limit: number, partly: boolean): number {
    const kinds = this.characters.kinds;
    let at = start;
    let length = 0;
    let complex = false;
    while (at < limit) {
      const unit = text.charCodeAt(at);
      let kind = kinds[unit] || this.characters.kindOfUnit(unit);
      let width = 1;
      if (kind === Surrogate) {
        const codePoint = text.codePointAt(at) ?? unit;
        kind = this.characters.kindOfCodePoint(codePoint);
        if (codePoint > 0xffff) width = 2;
      }
      if (kind < Word) break;
      if (kind !== Word) complex = true;
      if (kind !== Dropped) length += 1;
      at += width;
      if (partly && length > this.longestWord) return unknownWord;
    }
    this.end = at;
    if (length > this.longestWord) return unknownWord;
    return complex ? this.readComplex(text.slice(start, at)) : this.cut(text, start, at, this.characters.normalised);
  }

  /** True if the vocabulary has a piece for a unit that is a word by itself. */
  knows(unit: number): boolean {
    return (this.loneUnits[unit] || this.lookUp(unit)) === known;
  }

  private lookUp(unit: number): number {
    const { trie } = this;
    const found = trie.isEnd(trie.step(trie.root, this.characters.normalised[unit] ?? unit)) ? known : unknown;
    this.loneUnits[unit] = found;
    return found;
  }

  /** True if `offset` lies inside a word. */
  isInside(text: string, offset: number): boolean {
    return offset > 0 && offset < text.length && this.isPart(text, offset - 1) && this.isPart(text, offset);
  }

  private isPart(text: string, offset: number): boolean {
    const unit = text.charCodeAt(offset);
    const kind = this.characters.kindOfUnit(unit);
    if (kind !== Surrogate) return kind >= Word;
    const low = unit >= 0xdc00 && offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
    return this.characters.kindOfCodePoint(text.codePointAt(low ? offset - 1 : offset) ?? unit) >= Word;
  }

  private readComplex(word: string): number {
    let pieces = this.complexWords.get(word);
    if (pieces === undefined) {
      pieces = this.characters.normaliseWord(word).reduce((most, form) => this.larger(most, this.cutForm(form)), 0);
      this.remember(word, pieces);
    }
    return pieces;
  }

  private remember(word: string, pieces: number): void {
    if (word.length > longestCachedWord) return;
    if (this.complexWords.size >= cachedWords) this.complexWords.clear();
    // A slice would keep the whole text in memory for as long as the word is remembered.
    this.complexWords.set(Buffer.from(word, 'utf16le').toString('utf16le'), pieces);
  }

  private larger(one: number, other: number): number {
    return Math.abs(other) >= Math.abs(one) ? other : one;
  }

  private cutForm(form: string): number {
    if (form.length > this.longestWord && Array.from(form).length > this.longestWord) return unknownWord;
    return this.cut(form, 0, form.length, this.identity);
  }

  private cut(text: string, start: number, end: number, normalised: Uint16Array): number {
    const { trie } = this;
    let pieces = 0;
    let at = start;
    while (at < end) {
      let node = pieces === 0 ? trie.root : trie.continuation;
      let last = -1;
      for (let next = at; next < end; next += 1) {
        node = trie.step(node, normalised[text.charCodeAt(next)] ?? 0);
        if (node === 0) break;
        if (trie.isEnd(node)) last = next + 1;
      }
      if (last < 0) return unknownWord;
      pieces += 1;
      at = last;
    }
    return pieces;
  }
}
