import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Block } from '../domain/text/block.js';
import type { Chunk, ChunkLimits, CutResult } from '../domain/text/chunk.js';
import { cutText, type ShortPlan } from '../testing/cut-text.js';
import { bundledModelFolder } from '../testing/reference-tokenizer.js';
import type { TokenCounter } from './token-counter.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';

let counter: TokenCounter;
beforeAll(async () => {
  counter = await loadTokenCounter(bundledModelFolder);
});

const cut = (text: string, plan: ShortPlan = {}): CutResult => cutText(text, plan, counter);
const texts = (chunks: readonly Chunk[]): string[] => chunks.map(({ text }) => text);
const sentence = 'The pump is checked at dawn. ';

describe('cutting a text', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n\n\t'],
    ['characters without width', '\u200b\u00ad\ufeff\n'],
  ])('gives no chunk of %s', (_, text) => {
    expect(cut(text)).toEqual({
      parents: [],
      children: [],
      coverage: { complete: true, coveredChars: 0, omittedChars: 0, omissions: [] },
    });
  });

  it('leaves a short text whole', () => {
    const { parents, children } = cut('# Title\n\nA sentence.\n');
    expect(texts(parents)).toEqual(['# Title\n\nA sentence.']);
    expect(texts(children)).toEqual(['# Title\n\nA sentence.']);
    expect(children[0]).toMatchObject({ ordinal: 0, parentOrdinal: 0, tokens: 7, rule: 'PARENT:end' });
    expect(parents[0]).toMatchObject({ headingPath: ['Title'], rule: 'TEXT:end', overlapStart: 0 });
  });

  it('counts offsets in code points', () => {
    const text = '🌸🌸 one.\n\n# Two 🌸\n\nthree.';
    const { parents } = cut(text, { parent: [[1, { minTokens: 0 }]] });
    const points = Array.from(text);
    expect(parents.map(({ charStart, charEnd }) => points.slice(charStart, charEnd).join(''))).toEqual(texts(parents));
    expect(parents[1]?.charStart).toBe(9);
  });

  it('makes two chunks of two equal paragraphs', () => {
    const { children } = cut('same words\n\nsame words', { child: [[2, { separators: ['\n\n'] }]] });
    expect(texts(children)).toEqual(['same words', 'same words']);
    expect(children.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
  });

  it('keeps the indentation of the first line of a chunk', () => {
    const code = `\`\`\`py\n${'    return settle(readings)\n'.repeat(60)}\`\`\``;
    for (const { text } of cut(code).children.slice(1)) expect(text).toMatch(/^ {4}return/);
  });

  it('names the pages that a chunk lies on', () => {
    const blocks: Block[] = [
      { type: 'paragraph', charStart: 0, charEnd: 4, page: 1 },
      { type: 'paragraph', charStart: 6, charEnd: 9, page: 2 },
    ];
    const { parents, children } = cut('page\n\ntwo', { blocks, child: [[2, { separators: ['\n\n'] }]] });
    expect(parents[0]?.pages).toEqual([1, 2]);
    expect(children.map(({ pages }) => pages)).toEqual([[1], [2]]);
  });

  it('takes a text without any blocks', () => {
    const { coverage, parents } = cut(sentence.repeat(2_000), { blocks: [] });
    expect(coverage.complete).toBe(true);
    expect(parents.length).toBeGreaterThan(8);
  });
});

describe('the hard limits', () => {
  const tight: ChunkLimits = { PARENT: { maxTokens: 100, maxChars: 400 }, CHILD: { maxTokens: 16, maxChars: 50 } };

  it('force a cut, and say so, where a strategy would keep something whole', () => {
    const { children } = cut(`${'word '.repeat(30)}end.`, { child: [[5, { maxTokens: 16 }]] });
    expect(children.slice(0, -1).every(({ forced, rule }) => forced === true && rule === 'LIMIT:word')).toBe(true);
    expect(children.at(-1)?.forced).toBeUndefined();
  });

  it('hold for code points beside tokens, because a long word is one token', () => {
    const { parents, children } = cut('x'.repeat(5_000), { limits: tight });
    expect(new Set(parents.map(({ text }) => text.length))).toEqual(new Set([400, 200]));
    for (const { text, tokens } of children) expect([text.length <= 50, tokens <= 16]).toEqual([true, true]);
  });

  it('keep a flower whole that lies on the limit', () => {
    const text = `${'a '.repeat(19)}a🌸 b`;
    const limit = { ...tight, CHILD: { maxTokens: 256, maxChars: 50 } };
    for (const maxChars of [38, 39, 40, 41]) {
      const own = { ...limit, CHILD: { maxTokens: 256, maxChars } };
      expect(texts(cut(text, { limits: own }).children).join('|')).not.toMatch(/\p{Cs}/u);
    }
  });

  it('keep families and flags whole', () => {
    for (const character of ['👩‍👩‍👧‍👦', '🇨🇳', 'e\u0301\u0302', 'क्षि', '한']) {
      const { children } = cut(character.repeat(200), { limits: tight });
      expect(children.length).toBeGreaterThan(3);
      for (const { text } of children) expect(text.replaceAll(character, '')).toBe('');
    }
  });

  it('split a character that alone is over the limit, because there is no other way', () => {
    const { children, coverage } = cut(`a${'\u0301'.repeat(10_000)}b`, { limits: tight });
    expect(coverage.complete).toBe(true);
    expect(children.length).toBeGreaterThan(200);
    for (const { text, tokens } of children)
      expect([text.length <= 50, tokens >= 1 && tokens <= 16]).toEqual([true, true]);
    expect(children[0]).toMatchObject({ forced: true, rule: 'LIMIT:character' });
  });

  it('cut lines written from right to left, and count them as the model does', () => {
    const text = 'הפגישה ב-12:30 בבוקר، والموعد 2026/01/02. '.repeat(40);
    const { children, coverage } = cut(text, { limits: tight });
    expect(coverage.complete).toBe(true);
    for (const { text: chunk, tokens } of children) expect(tokens).toBe(counter.count(chunk));
  });

  it('never hang on one line of a million characters', () => {
    const { children, coverage } = cut('abcdefghij'.repeat(100_000));
    expect(coverage).toMatchObject({ complete: true, coveredChars: 1_000_000 });
    expect(children).toHaveLength(500);
  });
});

describe('overlap', () => {
  it('repeats whole sentences where they fit, once, and says how much', () => {
    const numbered = Array.from({ length: 60 }, (_, index) => `Sentence number ${index} is here.`).join(' ');
    const { children } = cut(numbered, {
      child: [
        [5, { maxTokens: 64, overlapTokens: 16 }],
        [2, { overlapTokens: 8 }],
      ],
    });
    children.slice(1).forEach((chunk, index) => {
      const before = children[index];
      const shared = chunk.text.slice(0, chunk.overlapStart);
      expect(before?.text.endsWith(shared)).toBe(true);
      expect(shared).toMatch(/^(?:Sentence number \d+ is here\.\s?){2}$/);
      expect(chunk.tokens).toBeLessThanOrEqual(64);
    });
    expect(children[0]?.overlapStart).toBe(0);
  });

  it('stays inside the parent, and leaves out the end of another section', () => {
    const part = sentence.repeat(40).trim();
    const text = `# One\n\n${part}\n\n## a\n\n${part}\n\n# Two\n\n${part}`;
    const { parents, children } = cut(text, {
      parent: [[1, { headingDepth: 1 }]],
      child: [[1], [5, { maxTokens: 100, overlapTokens: 20 }]],
    });
    for (const child of children) {
      const parent = parents[child.parentOrdinal ?? -1];
      expect(child.charStart).toBeGreaterThanOrEqual(parent?.charStart ?? Infinity);
      expect(child.overlapStart > 0).toBe(!child.text.startsWith('#'));
    }
    expect(
      texts(children)
        .filter((chunk) => chunk.startsWith('#'))
        .map((chunk) => chunk.slice(0, 4)),
    ).toEqual(['# On', '## a', '# Tw']);
  });

  it('repeats characters where there is no word to begin at', () => {
    const { children } = cut('abcdefghij'.repeat(6), { child: [[2, { maxTokens: 12, overlapTokens: 3 }]] });
    expect(children.length).toBeGreaterThan(3);
    for (const { overlapStart } of children.slice(1)) expect(overlapStart).toBeGreaterThan(0);
  });

  it('is at most half of a chunk, however much is asked for', () => {
    const { children } = cut('word '.repeat(500), { child: [[2, { maxTokens: 22, minTokens: 0, overlapTokens: 21 }]] });
    expect(children.length).toBeLessThanOrEqual(52);
    for (const { tokens } of children) expect(tokens).toBeLessThanOrEqual(22);
  });
});
