import { describe, expect, it } from '@jest/globals';
import { Level } from '../../domain/plan/strategy.js';
import type { Block, BlockType } from '../../domain/text/block.js';
import type { Chunk } from '../../domain/text/chunk.js';
import { cutStatistics } from './cut-statistics.js';
import { estimateEmbedding, localPace } from './embedding-estimate.js';
import { sizeDistribution } from './size-distribution.js';

/** Pieces of one text, written with `¶` where it is cut; a piece may repeat so many code points of the one before it. */
function cut(marked: string, overlap = 0): { text: string; chunks: Chunk[] } {
  const pieces = marked.split('¶');
  const text = Array.from(pieces.join(''));
  let end = 0;
  const chunks = pieces.map((piece, ordinal) => {
    const overlapStart = ordinal === 0 ? 0 : overlap;
    const charStart = end - overlapStart;
    end += Array.from(piece).length;
    const slice = text.slice(charStart, end).join('');
    const head = { level: Level.Child, ordinal, charStart, charEnd: end, overlapStart };
    return { ...head, text: slice, tokens: 10, headingPath: [], rule: 'test' };
  });
  return { text: text.join(''), chunks };
}

/** The block that a part of a text is. */
function block(text: string, type: BlockType, part: string): Block {
  const charStart = Array.from(text.slice(0, text.indexOf(part))).length;
  return { type, charStart, charEnd: charStart + Array.from(part).length };
}

async function statisticsOf(marked: string, parts: [BlockType, string][], overlap = 0) {
  const { text, chunks } = cut(marked, overlap);
  const blocks = parts.map(([type, part]) => block(text, type, part));
  const coverage = { complete: true, coveredChars: 0, omittedChars: 0, omissions: [] };
  return (await cutStatistics({ parents: [], children: chunks, coverage }, { text, blocks })).CHILD;
}

describe('statistics of a cut', () => {
  it.each<[string, string, number]>([
    ['cut between its rows', 'Intro.\n\n| a |\n| - |\n¶| 1 |\n\nEnd.', 1],
    ['cut twice', 'Intro.\n\n| a |\n¶| - |\n¶| 1 |\n\nEnd.', 1],
    ['cut at its blank end', 'Intro.\n\n| a |\n| - |\n| 1 |¶\n\nEnd.', 0],
    ['cut right before it', 'Intro. 🌸\n\n¶| a |\n| - |\n| 1 |\n\nEnd.', 0],
  ])('count a table %s', async (_, marked, count) => {
    expect((await statisticsOf(marked, [['table', '| a |\n| - |\n| 1 |\n']])).splitTables).toBe(count);
  });

  it('do not count a block that another chunk holds whole', async () => {
    const marked = 'One.\n\n```\na\n¶b\n```\n\nTwo.';
    const fence = '```\na\nb\n```';
    expect((await statisticsOf(marked, [['code', fence]])).splitFences).toBe(1);
    expect((await statisticsOf(marked, [['code', fence]], 8)).splitFences).toBe(0);
  });

  it.each<[string, string, [BlockType, string][], number]>([
    [
      'a cut in the middle of a sentence',
      'The cat sat¶ on the mat. It slept.',
      [['paragraph', 'The cat sat on the mat. It slept.']],
      1,
    ],
    ['no cut after a sentence', 'The cat sat. ¶It slept.', [['paragraph', 'The cat sat. It slept.']], 0],
    ['no cut after closing marks', '他说：“走。”¶她走了。', [['paragraph', '他说：“走。”她走了。']], 0],
    [
      'no cut between two blocks',
      '# No full stop\n\n¶Text here.',
      [
        ['heading', '# No full stop'],
        ['paragraph', 'Text here.'],
      ],
      0,
    ],
    [
      'a cut in the second block of two',
      'One.\n\nTwo and ¶three.',
      [
        ['paragraph', 'One.'],
        ['paragraph', 'Two and three.'],
      ],
      1,
    ],
    [
      'two sentences cut after each other',
      'One of ¶them. Two of ¶them.',
      [['paragraph', 'One of them. Two of them.']],
      2,
    ],
    [
      'no cut at an abbreviation as one at a sentence end',
      'We saw Dr. ¶Smith there.',
      [['paragraph', 'We saw Dr. Smith there.']],
      1,
    ],
    ['no cut in code', '```\na b ¶c\n```', [['code', '```\na b c\n```']], 0],
    [
      'one sentence that is cut twice',
      'A sentence ¶of several ¶parts.',
      [['paragraph', 'A sentence of several parts.']],
      1,
    ],
  ])('count %s', async (_, marked, parts, count) => {
    expect((await statisticsOf(marked, parts)).splitSentences).toBe(count);
  });

  it('do not count what a chunk repeats', async () => {
    expect(
      (await statisticsOf('The cat sat. ¶It slept.', [['paragraph', 'The cat sat. It slept.']], 5)).splitSentences,
    ).toBe(0);
  });

  it('are zero where nothing was cut', async () => {
    const coverage = { complete: true, coveredChars: 0, omittedChars: 0, omissions: [] };
    const empty = await cutStatistics({ parents: [], children: [], coverage }, { text: '', blocks: [] });
    expect(empty.PARENT).toEqual({
      count: 0,
      tokens: { count: 0, min: 0, median: 0, p95: 0, max: 0, total: 0, histogram: [] },
      splitTables: 0,
      splitFences: 0,
      splitSentences: 0,
      forcedCuts: 0,
    });
  });
});

describe('a size distribution', () => {
  it('puts every size into the bucket whose bounds hold it', () => {
    const sizes = [1, 16, 17, 32, 33, 256, 256];
    const { histogram, ...figures } = sizeDistribution([...sizes].reverse());

    expect(figures).toEqual({ count: 7, min: 1, median: 32, p95: 256, max: 256, total: 611 });
    expect(histogram).toEqual([
      { min: 1, max: 16, count: 2 },
      { min: 17, max: 32, count: 2 },
      { min: 33, max: 64, count: 1 },
      { min: 65, max: 128, count: 0 },
      { min: 129, max: 256, count: 2 },
    ]);
  });

  it('takes the smallest size that 95 of 100 do not exceed', () => {
    const sizes = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(sizeDistribution(sizes)).toMatchObject({ median: 50, p95: 95 });
  });
});

describe('an estimate of embedding', () => {
  const chunks = cut('alpha beta ¶gamma ¶alpha beta ').chunks.map((chunk) => ({ ...chunk, tokens: 50 }));

  it('counts equal texts once, one text a call, at the pace of the processes', () => {
    expect(estimateEmbedding(chunks, localPace(2))).toEqual({ embedTokens: 100, embedCalls: 2, seconds: 0.1 });
    expect(estimateEmbedding([], localPace(2))).toEqual({ embedTokens: 0, embedCalls: 0, seconds: 0 });
  });

  it('tells a cost only where one is configured', () => {
    const pace = { tokensPerSecond: 50, textsPerCall: 64, usdPerMillionTokens: 20 };
    expect(estimateEmbedding(chunks, pace)).toEqual({ embedTokens: 100, embedCalls: 1, costUsd: 0.002, seconds: 2 });
  });
});
