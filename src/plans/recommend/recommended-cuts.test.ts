import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutDocument } from '../../chunking/cut-document.js';
import { measureFeatures } from '../../chunking/measure-features.js';
import type { TokenCounter } from '../../chunking/token-counter.js';
import { loadTokenCounter } from '../../chunking/tokens/load-token-counter.js';
import { validateSteps } from '../../chunking/validate-steps.js';
import { parseMarkdown } from '../../documents/parsing/markdown/parse-markdown.js';
import { unpackBlocks } from '../../documents/parsing/packed-blocks.js';
import type { Block } from '../../domain/text/block.js';
import type { ChunkLimits, CutResult } from '../../domain/text/chunk.js';
import { recommendPlan, type Recommendation } from './recommendation.js';

const limits: ChunkLimits = {
  PARENT: { maxTokens: 4_096, maxChars: 16_000 },
  CHILD: { maxTokens: 256, maxChars: 2_000 },
};
const tight: ChunkLimits = { PARENT: { maxTokens: 64, maxChars: 400 }, CHILD: { maxTokens: 16, maxChars: 90 } };
const mostBlocks = 100_000;

let counter: TokenCounter;
beforeAll(async () => {
  counter = await loadTokenCounter(path.resolve('models/all-MiniLM-L6-v2'));
});

function planFor(text: string, blocks: readonly Block[], under = limits): Recommendation {
  return recommendPlan({ features: measureFeatures({ text, blocks }, counter), limits: under, model: { id: 'm' } });
}

function judge(text: string, under: ChunkLimits): void {
  const blocks = unpackBlocks(parseMarkdown(text, mostBlocks));
  const { steps, reasons } = planFor(text, blocks, under);
  expect(validateSteps(steps, under, 20)).toEqual([]);
  expect(reasons.length).toBeGreaterThan(0);
  const cut = cutDocument({ text, blocks, steps, limits: under }, counter);
  expect(cut.coverage).toMatchObject({ complete: true, omittedChars: 0 });
  expectWithinLimits(cut, under);
}

function expectWithinLimits({ parents, children }: CutResult, under: ChunkLimits): void {
  for (const { level, text, tokens } of [...parents, ...children]) {
    expect(tokens).toBeLessThanOrEqual(under[level].maxTokens);
    expect(Array.from(text).length).toBeLessThanOrEqual(under[level].maxChars);
  }
}

const word = fc.constantFrom(
  'river',
  'index',
  'of',
  'quickly',
  'Überlauf',
  '水泵',
  '温度',
  '🌸',
  '👨‍👩‍👧',
  'x'.repeat(130),
);
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 25 }), fc.constantFrom('.', '!', '。', '？', ''))
  .map(([words, end]) => words.join(' ') + end);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 8 }).map((sentences) => sentences.join(' '));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), sentence)
  .map(([depth, text]) => `${'#'.repeat(depth)} ${text}`);
const list = fc
  .array(sentence, { minLength: 1, maxLength: 12 })
  .map((items) => items.map((item) => `- ${item}`).join('\n'));
const table = fc
  .array(fc.tuple(sentence, word), { minLength: 1, maxLength: 20 })
  .map((rows) => ['| a | b |', '|---|---|', ...rows.map(([left, right]) => `| ${left} | ${right} |`)].join('\n'));
const fence = fc.array(sentence, { maxLength: 20 }).map((lines) => ['```', ...lines, '```'].join('\n'));
const solid = fc
  .tuple(fc.constantFrom('x', '水', 'ab1', '🌸'), fc.integer({ min: 1, max: 1_500 }))
  .map(([part, times]) => part.repeat(times));
const anyText = fc
  .array(fc.oneof(paragraph, paragraph, heading, list, table, fence, solid), { minLength: 1, maxLength: 25 })
  .map((parts) => parts.join('\n\n'));

describe('what is recommended for a text', () => {
  it('can be executed, loses nothing and keeps every limit', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(limits, tight), (text, under) => judge(text, under)),
      { numRuns: 60 },
    );
  });

  it('cuts Chinese at sentence ends only, and warns that the bundled model cannot read it', () => {
    const text = '水泵运行时应检查轴承温度，并记录压力读数。若压力超过上限，请立即停机并通知值班人员！'.repeat(60);
    const blocks = unpackBlocks(parseMarkdown(text, mostBlocks));
    const { steps, reasons } = planFor(text, blocks);
    const { children } = cutDocument({ text, blocks, steps, limits }, counter);

    expect(reasons.map((reason) => reason.code)).toEqual(
      expect.arrayContaining(['CJK_BY_SENTENCES', 'MODEL_CANNOT_READ']),
    );
    expect(children.length).toBeGreaterThan(5);
    expect(children.filter((child) => !/[。！]$/.test(child.text))).toEqual([]);
  });

  it('makes one parent and one child of a short text', () => {
    const text = '# Note\n\nA short note about the tidal barometer.';
    const blocks = unpackBlocks(parseMarkdown(text, mostBlocks));
    const { parents, children } = cutDocument({ text, blocks, limits, steps: planFor(text, blocks).steps }, counter);

    expect([parents.length, children.length]).toEqual([1, 1]);
    expect(children[0]?.text).toBe(text);
  });

  it('keeps the sections of a handbook apart, and small ones whole', () => {
    const body = 'The gauge is read at dawn. Its value goes into the log. Whoever reads it signs the page. '.repeat(3);
    const names = ['Pumps', 'Valves', 'Gauges', 'Logs', 'Alarms'];
    const text = `# Handbook\n\n${names.map((name) => `## ${name}\n\n${body.trimEnd()}`).join('\n\n')}`;
    const blocks = unpackBlocks(parseMarkdown(text, mostBlocks));
    const { children } = cutDocument({ text, blocks, limits, steps: planFor(text, blocks).steps }, counter);

    expect(children.map((child) => child.headingPath.at(-1))).toEqual(names);
  });
});
