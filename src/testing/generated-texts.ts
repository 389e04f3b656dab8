import fc from 'fast-check';

const between = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((codePoint) => String.fromCodePoint(codePoint));

const scripts = [
  between(0x20, 0x7e),
  between(0xa0, 0x24f),
  between(0x300, 0x36f),
  between(0x370, 0x3ff),
  between(0x400, 0x4ff),
  between(0x590, 0x6ff),
  between(0x900, 0x97f),
  between(0xe00, 0xe7f),
  between(0x1100, 0x11ff),
  between(0x1e00, 0x1fff),
  between(0x2000, 0x206f),
  between(0x2190, 0x22ff),
  between(0x3000, 0x30ff),
  between(0x4e00, 0x9fff),
  between(0xac00, 0xd7a3),
  between(0xf900, 0xfaff),
  between(0xfb00, 0xfdff),
  between(0xfe00, 0xffef),
  between(0x1f300, 0x1f6ff),
  between(0x1f1e6, 0x1f1ff),
  between(0x20000, 0x2a6df),
  fc.constantFrom('\0', '\u00ad', '\u200b', '\u200c', '\u200d', '\ufeff', '\ufffd', '\u3000', '\u2028', '\u0085'),
];

const word = fc.constantFrom(
  'the',
  'Retrieval',
  "don't",
  'naïve',
  'ΟΔΟΣ',
  'ΑΣ.Β',
  'हिन्दी',
  '한국어',
  '索引',
  '[CLS]',
  '[UNK]',
);

/** Characters of every script, blanks and words in any order: what no one would write, and every tokenizer gets. */
export const wildText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.oneof(...scripts) }, word, fc.constantFrom(' ', ' ', '\n', '.', '·')), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));
