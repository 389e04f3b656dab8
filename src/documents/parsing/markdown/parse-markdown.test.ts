import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Block } from '../../../domain/text/block.js';
import { referenceBlocks, type LineBlock } from '../../../testing/markdown-reference.js';
import { unpackBlocks } from '../packed-blocks.js';
import { parseMarkdown } from './parse-markdown.js';

const mostBlocks = 100_000;

function blocksOf(text: string, most: number): Block[] {
  return unpackBlocks(parseMarkdown(text, most));
}

/** Each block as `type depth: text`, its text cut out by code points. */
function outline(text: string): string[] {
  const points = Array.from(text);
  return blocksOf(text, mostBlocks).map(
    ({ type, depth, charStart, charEnd }) =>
      `${type}${depth === undefined ? '' : ` ${depth}`}: ${points.slice(charStart, charEnd).join('')}`,
  );
}

function byLines(text: string): LineBlock[] {
  const lineOf: number[] = [];
  let line = 0;
  for (const char of text) {
    lineOf.push(line);
    if (char === '\n') line += 1;
  }
  return blocksOf(text, mostBlocks).map(({ type, depth, charStart, charEnd }) => ({
    type,
    ...(depth === undefined ? {} : { depth }),
    first: lineOf[charStart] ?? -1,
    last: lineOf[charEnd - 1] ?? -1,
  }));
}

/** Fails for blocks that overlap, are out of order, are empty, or leave text out. */
function expectSound(text: string, blocks: readonly Block[]): void {
  const points = Array.from(text);
  let at = 0;
  for (const { charStart, charEnd } of blocks) {
    expect(charStart).toBeGreaterThanOrEqual(at);
    expect(charEnd).toBeGreaterThan(charStart);
    expect(points.slice(at, charStart).join('').trim()).toBe('');
    expect(points[charStart]?.trim() ?? '').not.toBe(points.slice(charStart, charEnd).join('').trim() && ' ');
    at = charEnd;
  }
  expect(points.slice(at).join('').trim()).toBe('');
}

describe('parseMarkdown', () => {
  it('tells headings, paragraphs, lists, tables, code, quotes and breaks apart', () => {
    expect(
      outline(
        [
          '# Title #',
          'Two lines',
          'of text.',
          '',
          'Underlined',
          '===',
          'Lower',
          '---',
          '- one',
          '- two',
          '',
          '| a | b |',
          '|---|--:|',
          '| 1 | 2 |',
          '',
          '```js',
          'let x;',
          '```',
          '> said',
          '> so',
          '',
          '***',
          '<div>',
          'raw',
          '</div>',
        ].join('\n'),
      ),
    ).toEqual([
      'heading 1: # Title #',
      'paragraph: Two lines\nof text.',
      'heading 1: Underlined\n===',
      'heading 2: Lower\n---',
      'listItem 1: - one',
      'listItem 1: - two',
      'table: | a | b |\n|---|--:|\n| 1 | 2 |',
      'code: ```js\nlet x;\n```',
      'quote: > said\n> so',
      'thematicBreak: ***',
      'html: <div>\nraw\n</div>',
    ]);
  });

  it('counts offsets in code points', () => {
    expect(blocksOf('😀 a\n\n# 𠮷', mostBlocks)).toEqual([
      { type: 'paragraph', charStart: 0, charEnd: 3 },
      { type: 'heading', depth: 1, charStart: 5, charEnd: 8 },
    ]);
  });

  it('runs an unclosed fence to the end and loses nothing', () => {
    expect(outline('before\n\n```\ncode\n\n# not a heading\n\n')).toEqual([
      'paragraph: before',
      'code: ```\ncode\n\n# not a heading',
    ]);
  });

  it('keeps a shorter fence inside a longer one', () => {
    expect(outline('````md\n```js\nx\n```\n````\nafter')).toEqual([
      'code: ````md\n```js\nx\n```\n````',
      'paragraph: after',
    ]);
  });

  it('keeps each of two headings beside its own table', () => {
    expect(outline('## one\n| a |\n|---|\n| 1 |\n\n## two\n| b |\n|---|\n| 2 |')).toEqual([
      'heading 2: ## one',
      'table: | a |\n|---|\n| 1 |',
      'heading 2: ## two',
      'table: | b |\n|---|\n| 2 |',
    ]);
  });

  it('gives nested items a block each, with their depth, and text behind them another', () => {
    expect(outline('1. outer\n   more\n   - inner\n     - third\n\n   outer again\n2. next')).toEqual([
      'listItem 1: 1. outer\n   more',
      'listItem 2: - inner',
      'listItem 3: - third',
      'listItem 1: outer again',
      'listItem 1: 2. next',
    ]);
  });

  it('keeps code and tables in a list whole, unless they share the line of its mark', () => {
    expect(
      outline('1. do:\n\n   ```sh\n   run\n   ```\n\n   then\n2. | a |\n   |---|\n3. x\n\n   | b |\n   |---|'),
    ).toEqual([
      'listItem 1: 1. do:',
      'code: ```sh\n   run\n   ```',
      'listItem 1: then',
      'listItem 1: 2. | a |\n   |---|',
      'listItem 1: 3. x',
      'table: | b |\n   |---|',
    ]);
  });

  it('makes one block of a quote with headings and lists in it, but for its code', () => {
    expect(outline('> # not a section\n> - item\n> lazy\nlazy too\n>\n> ~~~\n> code\n> ~~~\n> end')).toEqual([
      'quote: > # not a section\n> - item\n> lazy\nlazy too\n>',
      'code: > ~~~\n> code\n> ~~~',
      'quote: > end',
    ]);
  });

  it('tells front matter from a break', () => {
    expect(outline('---\ntitle: x\n---\n\ntext')).toEqual(['frontMatter: ---\ntitle: x\n---', 'paragraph: text']);
    expect(outline('+++\na = 1\n+++\ntext')).toEqual(['frontMatter: +++\na = 1\n+++', 'paragraph: text']);
    expect(outline('---\nnever closed')).toEqual(['thematicBreak: ---', 'paragraph: never closed']);
    expect(outline('\n---\na\n---')).toEqual(['thematicBreak: ---', 'heading 2: a\n---']);
  });

  it('keeps link definitions and footnotes as paragraphs', () => {
    expect(outline('[a]: /url "title"\n[b]:\n/two\n\n[^n]: note\n    goes on\n\nend')).toEqual([
      'paragraph: [a]: /url "title"\n[b]:\n/two',
      'paragraph: [^n]: note\n    goes on',
      'paragraph: end',
    ]);
  });

  it('does not underline a link definition', () => {
    expect(outline('[a]: /url\n===')).toEqual(['paragraph: [a]: /url\n===']);
    expect(outline('[a]: /url\ntext\n===')).toEqual(['paragraph: [a]: /url', 'heading 1: text\n===']);
  });

  it('keeps the blanks that make code of a line', () => {
    expect(outline('text\n\n    code\n      deeper\n\ntext')).toEqual([
      'paragraph: text',
      'code:     code\n      deeper',
      'paragraph: text',
    ]);
  });

  it('leaves out lines of nothing but white space of other scripts', () => {
    expect(outline('\u3000\n\ntext\n\n\u00a0\u3000')).toEqual(['paragraph: text']);
  });

  it('gives nothing for an empty text', () => {
    expect(blocksOf('', mostBlocks)).toEqual([]);
    expect(blocksOf('\n \n\t\n', mostBlocks)).toEqual([]);
  });

  it('refuses a text of too many blocks', () => {
    expect(() => blocksOf('a\n\n'.repeat(11), 10)).toThrow('more than 10');
    expect(blocksOf('a\n\n'.repeat(10), 10)).toHaveLength(10);
  });

  it.each([
    ['tabs', '-\ta\n\n\tb\n\n>\t\tcode\n\n 1.\tx\n\n\t\ty'],
    ['an item that begins empty', '-\n  text\n\n-\n\n  not in it'],
    ['a break among items', '- a\n***\n- b\n- * * *\n'],
    ['items of other marks', '- a\n+ b\n1. c\n2) d'],
    ['numbers that may not interrupt', 'text\n14. is a number\n\n1. is an item'],
    ['deep indentation', '- a\n\n      code\n\n 10. b\n\n     c'],
    ['html', '<!-- a\n\nb --> c\n\n<pre>\n\nx</pre>\n\n<x-y z="1">\n\n</b> text\n<p>\ntext'],
    ['escaped pipes', '| a \\| b | c |\n| - | - |\n| 1 | 2 |\n\n| a | b |\n| - |'],
    ['tables among text', 'text\n| a |\n| - |\n| 1 |\n# h\na | b\n:- | -:\nx\n\ny'],
    ['fences', '~~~ a ` b\n```\n~~~~\n``` a ` b\n\n   ```\n  x\n    ```\n   ```'],
    ['fences in containers', '> ```\n> a\nb\n\n- ~~~\n  a\n\n b'],
    ['headings', '#no\n####### no\n#\n # a #b#\n\ta\n   ## c'],
    ['underlines', 'a\nb\n===  \nc\n= =\n\n> a\n---\n\n- b\n---\n\n- c\n  ---'],
    ['definitions', '[a]: <b c> (t)\n[a\n]: x\n[b]: (y\n[c]: z "t" more\n\n[d]:\n\n[e]: \'t'],
    ['footnotes', '[^a]: x\n\n    y\n    > z\n\nw\n[^b c]: no\n[^]: no'],
  ])('agrees with micromark on %s', (_, text) => {
    expect(byLines(text)).toEqual(referenceBlocks(text));
    expectSound(text, blocksOf(text, mostBlocks));
  });

  // What micromark reads another way than the specification is left out: markers that end a block without being able
  // to, HTML of unknown names on lazy lines, underlines below definitions, and delimiter rows below lazy lines.
  const marks = fc.constantFrom('> ', '>', '- ', '* ', '1. ', ' ', '  ', '   ', '    ', '\t', '-\t', '-     ', '>\t');
  const contents = fc.constantFrom(
    ...['text', 'a b', '# h', '### h #', '```', '```js', '~~~~', '---', '===', '***', '| a | b |', 'a | b', '<div>'],
    ...['</div>', '<!-- c', '-->', '<script>', 'x </script>', '[a]: /b', 'a\\|b', '😀', '', '', ''],
  );
  const line = fc
    .tuple(fc.array(marks, { maxLength: 3 }), contents)
    .map(([before, content]) => before.join('') + content);
  const table = fc.constant('\n| a | b |\n|---|:-:|\n| c |\n');
  const documents = fc
    .array(fc.oneof({ arbitrary: line, weight: 9 }, { arbitrary: table, weight: 1 }), { maxLength: 8 })
    .map((lines) => `x\n\n${lines.join('\n')}`);
  const isOutOfScope = (text: string): boolean =>
    /(?:^|[\s>])(?:[-*]|1\.)[ \t]*$/m.test(text) || /\[a\]:[^]*^\s*(?:[^\n]*\n)?[ >\t]*[=-]+$/m.test(text);

  it('agrees with micromark on whatever people may write', () => {
    fc.assert(
      fc.property(documents, (text) => {
        fc.pre(!isOutOfScope(text));
        expect(withJoinedCode(byLines(text))).toEqual(withJoinedCode(referenceBlocks(text)));
      }),
      { numRuns: 1_500, seed: 7 },
    );
  });

  it('leaves no text out and lets no blocks overlap, whatever the text is', () => {
    const any = fc.oneof(
      documents,
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.replaceAll('\r', '')),
    );
    fc.assert(
      fc.property(any, (text) => expectSound(text, blocksOf(text, mostBlocks))),
      { numRuns: 1_500, seed: 7 },
    );
  });

  it.each<[string, string]>([
    ['100,000 quotes in one another', `${'> '.repeat(100_000)}a\n${'\n'.repeat(1_000)}`],
    ['100,000 items in one another', `${'- '.repeat(100_000)}a\n${'\n'.repeat(200_000)}`],
    ['100,000 brackets', '['.repeat(100_000)],
    ['100,000 stars', `${'*'.repeat(100_000)}a`],
    ['one line of 5 MB', 'a'.repeat(5_000_000)],
    ['5 MB of blanks', `${' '.repeat(5_000_000)}a`],
    ['comments that are never closed', '> <!--\n\n'.repeat(100_000)],
    ['definitions that are underlined', '[a]: b\n===\n'.repeat(20_000)],
    ['a table of a million cells', `|${'a|'.repeat(1_000_000)}\n|${'-|'.repeat(1_000_000)}`],
    ['a tag of a million attributes', `<a ${'b '.repeat(1_000_000)}`],
    ['a title that is never closed', `[a]: b "${'\\x'.repeat(40_000)}\n===\n`.repeat(20)],
  ])('reads %s in time', (_, text) => {
    const begun = performance.now();
    blocksOf(text, 1_000_000);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

/** micromark makes two of indented code that follows a quote. */
function withJoinedCode(blocks: readonly LineBlock[]): LineBlock[] {
  const joined: LineBlock[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.type === 'code' && block.type === 'code') joined[joined.length - 1] = { ...last, last: block.last };
    else joined.push(block);
  }
  return joined;
}
