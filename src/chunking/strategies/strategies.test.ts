import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Chunk, CutResult } from '../../domain/text/chunk.js';
import { cutText, type ShortPlan } from '../../testing/cut-text.js';
import { bundledModelFolder } from '../../testing/reference-tokenizer.js';
import type { TokenCounter } from '../token-counter.js';
import { loadTokenCounter } from '../tokens/load-token-counter.js';

let counter: TokenCounter;
beforeAll(async () => {
  counter = await loadTokenCounter(bundledModelFolder);
});

const cut = (text: string, plan: ShortPlan = {}): CutResult => cutText(text, plan, counter);
const texts = (chunks: readonly Chunk[]): string[] => chunks.map(({ text }) => text);
const sentence = 'The pump is checked at dawn. ';
const row = '| 17 | a value of some length |';

describe('cutting along the structure', () => {
  const long = sentence.repeat(30).trim();

  it('keeps a heading with what is under it', () => {
    const text = `## label1\n\n| a | b |\n|---|---|\n${row}\n\n## label2\n\n| c | d |\n|---|---|\n${row}\n`;
    for (const child of [1, 2, 5, 6] as const) {
      const { parents, children } = cut(text, { child: [[child]] });
      expect(parents.map(({ headingPath }) => headingPath)).toEqual([['label1'], ['label2']]);
      for (const { text: chunk } of children) expect(chunk).toMatch(/^## label\d\n\n\| . \|/);
    }
  });

  it('never ends a chunk with a heading, also where what is under it does not fit', () => {
    const text = Array.from({ length: 9 }, (_, index) => `## Part ${index}\n\n### Inner ${index}\n\n${long}`).join(
      '\n\n',
    );
    for (const child of [1, 2, 5] as const) {
      const { children } = cut(text, { child: [[child, { maxTokens: 64 }]] });
      for (const chunk of children) expect(chunk.text).not.toMatch(/#+ \w+ \d$/);
      expect(children.filter((chunk) => chunk.text.startsWith('## Part'))).toHaveLength(9);
    }
  });

  it('joins small sections under one heading, and no others', () => {
    const text = [
      `# One\n\n${long}`,
      '## a\n\nshort.',
      '## b\n\nshort.',
      `## c\n\n${long}`,
      '# Two',
      '## d\n\nshort.',
      '# Three\n\nshort.',
      '# Four\n\nshort.',
    ].join('\n\n');
    const { parents } = cut(text, { parent: [[1, { minTokens: 50, maxTokens: 300 }]] });
    expect(parents.map((parent) => parent.text.match(/^#+ \w+/gm))).toEqual([
      ['# One'],
      ['## a', '## b', '## c'],
      ['# Two', '## d'],
      ['# Three'],
      ['# Four'],
    ]);
    expect(parents.map(({ headingPath }) => headingPath.join('/'))).toEqual(['One', 'One', 'Two/d', 'Three', 'Four']);
  });

  it('puts a short introduction to the first section under it', () => {
    const { parents } = cut(`# One\n\nshort.\n\n## a\n\n${long}\n\n## b\n\n${long}`, {
      parent: [[1, { minTokens: 50, maxTokens: 300 }]],
    });
    expect(parents.map((parent) => parent.text.match(/^#+ \w+/gm))).toEqual([['# One', '## a'], ['## b']]);
  });

  it('leaves headings deeper than asked inside', () => {
    const text = `# One\n\n${long}\n\n## a\n\n${long}\n\n# Two\n\n${long}`;
    const parts = (headingDepth: number): number => cut(text, { parent: [[1, { headingDepth }]] }).parents.length;
    expect([parts(1), parts(2)]).toEqual([2, 3]);
  });

  it('cuts a section that is too large between its blocks, lists last', () => {
    const items = Array.from({ length: 8 }, (_, index) => `- item ${index}: ${sentence}`).join('\n');
    const { parents } = cut(`# One\n\n${long}\n\n${items}\n\n${long}`, { parent: [[1, { maxTokens: 260 }]] });
    expect(parents.map(({ rule }) => rule)).toEqual(['STRUCTURE:block', 'STRUCTURE:block', 'TEXT:end']);
    expect(parents[1]?.text).toBe(items.trim());
  });

  it('reads headings without their marks into the path', () => {
    const { parents } = cut('# The **bold** `code` [link](http://x.y) ##\n\ntext');
    expect(parents[0]?.headingPath).toEqual(['The bold code link']);
  });

  it('keeps a line that announces a list with the list', () => {
    const text = `${sentence.repeat(6)}\n\nThese are needed:\n\n- a wrench\n- a lamp`;
    const { children } = cut(text, { child: [[2, { maxTokens: 50, minTokens: 0 }]] });
    expect(children.at(-1)?.text).toBe('These are needed:\n\n- a wrench\n- a lamp');
  });
});

describe('cutting code and tables', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `const value${index} = compute(${index});`).join('\n');

  it('keeps code whole where it fits', () => {
    const code = `\`\`\`js\n${lines.split('\n').slice(0, 12).join('\n')}\n\`\`\``;
    for (const child of [1, 2, 5] as const) {
      const { children } = cut(`${sentence.repeat(20)}\n\n${code}\n\n${sentence.repeat(20)}`, { child: [[child]] });
      expect(texts(children).some((text) => text.includes(code))).toBe(true);
    }
  });

  it.each([
    ['closed', '```js', '\n```'],
    ['never closed', '```js', ''],
    ['of four marks around three', '````\n```js', '\n```\n````'],
  ])('never leaves a fence alone: %s', (_, opening, closing) => {
    const text = `Before.\n\n${opening}\n${lines}${closing}`;
    for (const child of [1, 2, 5] as const) {
      const { children, coverage } = cut(text, { child: [[child, { maxTokens: 100 }]] });
      expect(coverage.complete).toBe(true);
      expect(children.length).toBeGreaterThan(4);
      for (const chunk of children) expect(chunk.text).not.toMatch(/^[`\s]+(?:js)?[`\s]*$/);
      expect(texts(children).filter((chunk) => /const value0 /.test(chunk) && chunk.includes(opening))).toHaveLength(1);
    }
  });

  it('never leaves a closing fence alone, wherever the room ends', () => {
    for (let count = 5; count < 40; count += 1) {
      const code = `\`\`\`\n${lines.split('\n').slice(0, count).join('\n')}\n\`\`\``;
      const last = cut(code, { child: [[2, { maxTokens: 64, minTokens: 0 }]] }).children.at(-1);
      expect(last?.text).toContain(`value${count - 1}`);
    }
  });

  it('repeats the head of a table beside the rows, never in them', () => {
    const head = '| no | text |\n|---|---|';
    const table = `${head}\n${Array.from({ length: 80 }, () => row).join('\n')}`;
    for (const child of [1, 2, 5, 6] as const) {
      const { children, parents } = cut(`# Data\n\n${table}\n\nAfter.`, { child: [[child]] });
      const cutRows = children.filter((chunk) => chunk.context !== undefined);
      expect(cutRows.length).toBeGreaterThan(1);
      for (const chunk of cutRows) {
        expect(chunk.context).toEqual({ tableHeader: head });
        expect(chunk.text).toMatch(/^(?:\| 17 \| a value of some length \|\n?)+(?:\n*After\.)?$/);
        expect(chunk.headingPath).toEqual(['Data']);
      }
      expect(children[0]?.text.startsWith(`# Data\n\n${head}\n| 17`)).toBe(true);
      expect(parents[0]?.context).toBeUndefined();
    }
  });

  it('cuts tables by rows, and leaves other text to the next step', () => {
    const table = `| no |\n|---|\n${'| 1 |\n'.repeat(25)}`;
    const text = `${sentence}\n\nThe readings:\n\n${table}\n${sentence.repeat(20)}`;
    const { children } = cut(text, {
      child: [
        [6, { maxRows: 10 }],
        [5, { maxTokens: 64 }],
      ],
    });
    expect(children.slice(0, 4).map((chunk) => [chunk.text.match(/\| 1 \|/g)?.length ?? 0, chunk.rule])).toEqual([
      [0, 'TABLE_ROWS:table'],
      [10, 'TABLE_ROWS:row'],
      [10, 'TABLE_ROWS:row'],
      [5, 'TABLE_ROWS:table'],
    ]);
    expect(children[1]?.text.startsWith('The readings:\n\n| no |')).toBe(true);
    for (const { rule, tokens } of children.slice(4)) {
      expect(rule).toMatch(/SENTENCE:end|PARENT:end/);
      expect(tokens).toBeLessThanOrEqual(64);
    }
  });
});

describe('cutting at separators', () => {
  it('takes them literally, every blank included', () => {
    const text = 'intro\n# One\nbody\n## Two\n#notag\n# Three\nend';
    expect(texts(cut(text, { child: [[2, { separators: ['\n# '] }]], parent: [[2]] }).children)).toEqual([
      'intro',
      '# One\nbody\n## Two\n#notag',
      '# Three\nend',
    ]);
    expect(texts(cut('a\\nb\nc', { child: [[2, { separators: ['\\n'] }]] }).children)).toEqual(['a\\n', 'b\nc']);
    expect(texts(cut('a.b|c', { child: [[2, { separators: ['|'] }]] }).children)).toEqual(['a.b|', 'c']);
  });

  it('lets the first separator win over joining, unless joining is asked for', () => {
    const text = 'one\ntwo\nthree';
    expect(texts(cut(text, { child: [[2, { separators: ['\n'] }]] }).children)).toEqual(['one', 'two', 'three']);
    expect(texts(cut(text, { child: [[2, { separators: ['\n'], merge: 'FILL' }]] }).children)).toEqual([text]);
    expect(texts(cut(text).children)).toEqual([text]);
  });

  it('keeps a separator at the end of the piece before it, or at the start of the one after it', () => {
    const at = (keepSeparator: string): string[] =>
      texts(cut('a;b;;c', { child: [[2, { separators: [';'], keepSeparator }]] }).children);
    expect(at('END')).toEqual(['a;', 'b;', ';', 'c']);
    expect(at('START')).toEqual(['a', ';b', ';', ';c']);
  });

  it('uses the coarsest separator that fits, and finer ones on what is still too long', () => {
    const paragraph = sentence.repeat(10).trim();
    const { children } = cut(`${paragraph}\n\n${paragraph}\n\n${sentence.repeat(40).trim()}`, {
      child: [[2, { maxTokens: 100 }]],
    });
    expect(children.slice(0, 2).map(({ text, rule }) => [text, rule])).toEqual([
      [paragraph, 'RECURSIVE:\\n\\n'],
      [paragraph, 'RECURSIVE:\\n\\n'],
    ]);
    for (const { rule } of children.slice(2, -1)) expect(rule).toBe('RECURSIVE:. ');
  });

  it('leaves no tail under the least size where another cut fits', () => {
    const words = 'word '.repeat(101).trim();
    const sizes = (minTokens: number): number[] =>
      cut(words, { child: [[2, { maxTokens: 102, minTokens }]] }).children.map(({ tokens }) => tokens - 2);
    expect(sizes(0)).toEqual([100, 1]);
    expect(sizes(25)).toEqual([76, 25]);
  });

  it('never cuts inside a character, whatever the separator', () => {
    const text = 'e\u0301e\u0301 a\u200db';
    expect(texts(cut(text, { child: [[2, { separators: ['e'] }]] }).children)).toEqual([text]);
  });
});

describe('cutting at sentences', () => {
  it('gathers whole sentences', () => {
    const { children } = cut(sentence.repeat(50), { child: [[5, { maxTokens: 60 }]] });
    for (const { text } of children) expect(text).toMatch(/^The .* dawn\.$/);
    expect(children[0]).toMatchObject({ tokens: 58, rule: 'SENTENCE:end' });
  });

  it('knows the sentence ends of Chinese, without a blank in 3,000 characters', () => {
    const text = '值班人员在潮水上涨之前核对仪表读数，并且签字。'.repeat(130);
    const { children } = cut(text, { child: [[5]] });
    expect(children.length).toBeGreaterThan(11);
    for (const chunk of children) expect(chunk.text).toMatch(/^值班.*签字。$/);
  });

  it('refines only what is too long in a later step', () => {
    const long = `${'Word '.repeat(200)}end`;
    const text = `Short one. ${long}. Short two.`;
    const { children } = cut(text, {
      child: [
        [5, { maxTokens: 100, minTokens: 0 }],
        [2, { maxTokens: 100 }],
      ],
    });
    expect(children.map(({ rule }) => rule)).toEqual([
      'SENTENCE:end',
      'RECURSIVE: ',
      'RECURSIVE: ',
      'SENTENCE:end',
      'PARENT:end',
    ]);
    expect(children.some(({ forced }) => forced)).toBe(false);
  });
});
