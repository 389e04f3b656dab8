import fc from 'fast-check';
import { wildText } from './generated-texts.js';

const word = fc.constantFrom(
  'the',
  'pump',
  'Checked,',
  'dawn.',
  'e.g.',
  'Why?',
  '泵站',
  '运行。',
  '，',
  '한국어',
  'हिन्दी',
  'مُحَمَّدٌ',
  '👩‍👩‍👧‍👦',
  '🇨🇳🇺🇸',
  'e\u0301',
  'ΟΔΟΣ.Α',
  '[CLS]',
  '\u200b',
  'x'.repeat(120),
  'https://example.com/a/b?c=d',
);
const line = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 25 }), fc.constantFrom(' ', ' ', ' ', '', '\u3000'))
  .map(([words, gap]) => words.join(gap));
const lines = (most: number, prefix: string): fc.Arbitrary<string> =>
  fc.array(line, { minLength: 1, maxLength: most }).map((list) => list.map((each) => prefix + each).join('\n'));

const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), line)
  .map(([depth, text]) => `${'#'.repeat(depth)} ${text.slice(0, 60)}`);
const code = fc
  .tuple(lines(12, '  '), fc.boolean())
  .map(([body, closed]) => `\`\`\`ts\n${body}${closed ? '\n```' : ''}`);
const table = fc
  .array(line, { minLength: 1, maxLength: 12 })
  .map((rows) => `| name |\n|---|\n${rows.map((row) => `| ${row} |`).join('\n')}`);
const solid = fc
  .tuple(fc.constantFrom('x', '泵', '👩‍👩‍👧‍👦', '\u0301', 'a\u0301', 'क्ष', '🇨🇳', '한'), fc.integer({ min: 1, max: 400 }))
  .map(([character, times]) => character.repeat(times));

const block = fc.oneof(
  { weight: 3, arbitrary: heading },
  { weight: 5, arbitrary: lines(4, '') },
  { weight: 2, arbitrary: lines(6, '- ') },
  { weight: 1, arbitrary: lines(3, '    - ') },
  { weight: 1, arbitrary: lines(3, '> ') },
  { weight: 2, arbitrary: code },
  { weight: 2, arbitrary: table },
  { weight: 1, arbitrary: solid },
  { weight: 1, arbitrary: wildText },
  { weight: 1, arbitrary: fc.constantFrom('---', '', ' \n \n', '\u200b') },
);

/** Markdown of every kind of block, in many scripts, with what is hard to cut: solid text, marks, emoji, no blanks. */
export const generatedDocument: fc.Arbitrary<string> = fc
  .tuple(fc.array(block, { maxLength: 12 }), fc.constantFrom('\n\n', '\n\n', '\n', '\n\n\n'))
  .map(([blocks, gap]) => blocks.join(gap).replace(/\r|\p{Cs}/gu, ''));
