/** How a BERT tokenizer normalises text before it looks for words. */
export interface BertNormalisation {
  /** Takes out control and format characters. */
  readonly cleanText: boolean;
  /** Makes every ideograph a word. */
  readonly separateIdeographs: boolean;
  readonly lowercase: boolean;
  readonly stripAccents: boolean;
}

/** What a character is to the tokenizer. Kinds from `Word` on are parts of words. */
export const CharacterKind = {
  Unset: 0,
  Space: 1,
  /** A word by itself: punctuation, an ideograph. */
  Lone: 2,
  /** Half of a surrogate pair: the code point has to be looked at. */
  Surrogate: 3,
  /** Part of a word that normalises, whatever stands beside it, to one unit. */
  Word: 4,
  /** Part of a word that can only be normalised with the whole word. */
  Complex: 5,
  /** Belongs to the word it stands in, but nothing of it is left. */
  Dropped: 6,
} as const;

const { Unset, Space, Lone, Surrogate, Word, Complex, Dropped } = CharacterKind;

const removed = /[\0\ufffd\p{Cf}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;
const punctuation = /^[\p{P}!-/:-@[-`{-~]$/u;
const accents = /[\u0300-\u036f]/g;
const capitalSigma = '\u03a3';

/**
 * The characters of a BERT tokenizer: what each is, and what it normalises to. Follows the tokenizer that embeds, also
 * where that differs from others: ideographs beyond U+FFFF are no words by themselves, and only the accents of
 * U+0300–U+036F are stripped.
 */
export class BertCharacters {
  /** Kind by UTF-16 unit, filled on demand by {@link kindOfUnit}. */
  readonly kinds = new Uint8Array(0x10000);
  /** What a unit of kind `Word` or `Lone` normalises to. */
  readonly normalised = new Uint16Array(0x10000);
  private readonly beyond = new Map<number, number>();

  constructor(private readonly rules: BertNormalisation) {}

  /** True if normalising a character depends on characters of other words. */
  dependsOnContext(text: string): boolean {
    return this.rules.lowercase && text.includes(capitalSigma);
  }

  /** The text with what depends on context already normalised. */
  settleContext(text: string): string {
    return this.clean(text).toLowerCase();
  }

  /** Kind of a unit; also notes it in {@link kinds}. */
  kindOfUnit(unit: number): number {
    const known = this.kinds[unit] ?? Unset;
    if (known !== Unset) return known;
    const kind = unit >= 0xd800 && unit <= 0xdfff ? Surrogate : this.classify(unit);
    this.kinds[unit] = kind;
    return kind;
  }

  /** Kind of a code point beyond U+FFFF, or of a lone surrogate. */
  kindOfCodePoint(codePoint: number): number {
    let kind = this.beyond.get(codePoint);
    if (kind === undefined) {
      kind = this.classify(codePoint);
      this.beyond.set(codePoint, kind);
    }
    return kind;
  }

  /** A word in the forms it can take; more than one where context decides. */
  normaliseWord(word: string): string[] {
    const cleaned = this.clean(word);
    const cased = this.rules.lowercase ? lowercaseForms(cleaned) : [cleaned];
    return this.rules.stripAccents ? cased.map((form) => form.normalize('NFD').replace(accents, '')) : cased;
  }

  private clean(text: string): string {
    if (!this.rules.cleanText) return text;
    return text.replace(removed, '');
  }

  private classify(codePoint: number): number {
    const character = String.fromCodePoint(codePoint);
    if (this.clean(character) === '') return Dropped;
    if (/\s/.test(character)) return Space;
    if (this.rules.separateIdeographs && isIdeograph(codePoint)) return this.note(codePoint, Lone);
    const [normalised = ''] = this.normaliseWord(character);
    if (normalised === '') return Dropped;
    if (punctuation.test(normalised)) return this.note(codePoint, Lone);
    if (normalised.length > 1 || character === capitalSigma || /\p{M}/u.test(normalised)) return Complex;
    return this.note(codePoint, Word);
  }

  private note(codePoint: number, kind: number): number {
    if (codePoint > 0xffff) return kind === Word ? Complex : kind;
    const [normalised = ''] = this.normaliseWord(String.fromCodePoint(codePoint));
    this.normalised[codePoint] = normalised.charCodeAt(0);
    return kind;
  }
}

/** A capital sigma is written differently at the end of a word, and letters beyond punctuation count as its word. */
function lowercaseForms(word: string): string[] {
  if (!word.includes(capitalSigma)) return [word.toLowerCase()];
  return [word, `a${word}`, `${word}a`, `a${word}a`].map((framed, index) => {
    const lower = framed.toLowerCase();
    return lower.slice(index & 1, lower.length - (index >> 1));
  });
}

function isIdeograph(codePoint: number): boolean {
  return (
    (codePoint >= 0x4e00 && codePoint <= 0x9fff) ||
    (codePoint >= 0x3400 && codePoint <= 0x4dbf) ||
    (codePoint >= 0xf900 && codePoint <= 0xfaff)
  );
}
