const han = '\\p{sc=Han}';
/** Other scripts that put no spaces between words, or glue endings to them. */
const syllabicScripts = ['Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const syllabic = `[${syllabicScripts.map((script) => `\\p{sc=${script}}`).join('')}\u30fc]`;
const spaced = `(?!${han}|${syllabic})[\\p{L}\\p{N}]`;
/** So that one piece of a solid line stays well below what PostgreSQL stores of a word, and is the same wherever it is cut. */
const longestWord = 64;

const parts = new RegExp(
  [
    `(?<han>${han}+)`,
    `(?<syllabic>${syllabic}(?:${syllabic}|\\p{M})*)`,
    `(?<number>\\p{Nd}{1,16}(?:\\.\\p{Nd}{1,16}){1,7}(?![\\p{L}\\p{N}]))`,
    `(?<word>(?:${spaced}\\p{M}*){1,${longestWord}}(?:[-_]+(?:${spaced}\\p{M}*){1,${longestWord}})*)`,
  ].join('|'),
  'gu',
);

/** The searchable parts of a text, each kind in order; everything else separates. */
export interface SplitText {
  /** Runs of Chinese characters. */
  readonly han: readonly string[];
  /** Runs of other scripts without spaces between words. */
  readonly syllabic: readonly string[];
  /** Words and identifiers, in their own case, perhaps joined by hyphens or underscores; numbers with points. */
  readonly words: readonly string[];
}

/** Splits a text. Full-width letters, accents and compatibility forms are folded first. */
export function splitText(text: string): SplitText {
  const split = { han: [] as string[], syllabic: [] as string[], words: [] as string[] };
  for (const { groups } of fold(text).matchAll(parts)) {
    if (groups?.['han'] !== undefined) split.han.push(groups['han']);
    else if (groups?.['syllabic'] !== undefined) split.syllabic.push(groups['syllabic']);
    else split.words.push(groups?.['number'] ?? groups?.['word'] ?? '');
  }
  return split;
}

/** Accents of Latin, Greek and Cyrillic; hyphens that show only at a line's end, joiners, and choices between glyphs. */
const invisible = /[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** Other marks stay with their letters. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(invisible, '').normalize('NFC');
}
