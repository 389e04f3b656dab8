import { beforeAll, describe, expect, it } from '@jest/globals';
import { bundledModelFolder } from '../testing/reference-tokenizer.js';
import { simpleBlocks } from '../testing/simple-blocks.js';
import { measureFeatures } from './measure-features.js';
import type { TokenCounter } from './token-counter.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';

let counter: TokenCounter;
beforeAll(async () => {
  counter = await loadTokenCounter(bundledModelFolder);
});
const measure = (text: string): ReturnType<typeof measureFeatures> =>
  measureFeatures({ text, blocks: simpleBlocks(text) }, counter);

describe('the features of a text', () => {
  it('are counted from its blocks', () => {
    const text = [
      '# One',
      'First sentence here. Second one, e.g. this!',
      '### Deep',
      '- item\n- item',
      '## Two',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '```\ncode\n```',
    ].join('\n\n');
    expect(measure(text)).toMatchObject({
      chars: text.length,
      tokens: counter.count(text) - counter.specialTokens,
      headings: 3,
      headingDepth: 2,
      paragraphs: 1,
      listItems: 2,
      tables: 1,
      sentences: 2,
      unknownTokenShare: 0,
      cjkShare: 0,
    });
  });

  it('say how long sections and sentences are', () => {
    const features = measure('# A\n\nOne two. Three.\n\n# B\n\nOne two three four five six. Seven.\n\n# C\n\nOne.');
    expect([features.sectionTokensMedian, features.sectionTokensMax]).toEqual([7, 11]);
    expect([features.sentenceTokensMedian, features.sentenceTokensMax]).toEqual([2, 7]);
  });

  it('give tables and code as shares of what can be seen', () => {
    const features = measure('abcd\n\n| ab |\n|----|\n\n```\nx\n```');
    expect(features.tableShare).toBe(0.4762);
    expect(features.codeShare).toBe(0.3333);
  });

  it('tell ideographs, kana and Hangul from other letters', () => {
    expect(measure('汉字かなカナ한글 ab').cjkShare).toBe(0.8);
    expect(measure('𠀀a, 1 + 2!').cjkShare).toBe(0.5);
    expect(measure('今天天气很好').unknownTokenShare).toBeGreaterThan(0.3);
  });

  it('of nothing are zero', () => {
    const nothing = measure('');
    expect(Object.values(nothing).every((value) => value === 0)).toBe(true);
    expect(measure(' \n\n ')).toEqual({ ...nothing, chars: 4 });
  });

  it('take the whole text as prose where there are no blocks', () => {
    expect(measureFeatures({ text: 'One. Two. Three.', blocks: [] }, counter)).toMatchObject({ sentences: 3 });
  });
});
