import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wildText } from '../testing/generated-texts.js';
import { bundledModelFolder, loadReferenceTokenizer, type ReferenceTokenizer } from '../testing/reference-tokenizer.js';
import type { TokenCounter } from './token-counter.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';

let counter: TokenCounter;
let reference: ReferenceTokenizer;
beforeAll(async () => {
  counter = await loadTokenCounter(bundledModelFolder);
  reference = await loadReferenceTokenizer(bundledModelFolder);
});

/** Code points in groups, so that the reference is asked for few texts. */
function groupsOf(from: number, to: number, step: number): string[][] {
  const groups: string[][] = [];
  for (let codePoint = from, group: string[] = []; codePoint <= to; codePoint += step) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    if (group.length === 0) groups.push(group);
    group.push(String.fromCodePoint(codePoint));
    if (group.length === 400) group = [];
  }
  return groups;
}

describe('the token counter', () => {
  it('agrees with the tokenizer that embeds on every character of the basic plane and many beyond', () => {
    const frames = [(character: string) => `${character} `, (character: string) => `ab${character}c `];
    for (const group of [...groupsOf(0, 0xffff, 1), ...groupsOf(0x10000, 0x10ffff, 37)]) {
      for (const frame of frames) {
        const text = group.map(frame).join('');
        const first = group[0]?.codePointAt(0)?.toString(16);
        expect([first, counter.count(text)]).toEqual([first, reference.count(text)]);
        expect([first, counter.map(text).unknownTokens]).toEqual([first, reference.countUnknown(text)]);
      }
    }
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t\u3000'],
    ['accents', 'Héllo naïve café Ångström e\u0301\u0301'],
    ['a word of 100 and one of 101 characters', `${'x'.repeat(100)} ${'x'.repeat(101)}`],
    ['NUL and the replacement character inside words', 'a\0b\ufffdc'],
    ['zero-width characters', '\u200bzero\u200dwidth\u00adsoft'],
    ['literal special tokens', 'before [CLS] [SEP] [MASK] [UNK] [PAD] after'],
    ['signs that decompose into punctuation', 'a≠b c≮d'],
    ['ideographs beyond the basic plane', '𠀀𪚥中'],
    ['marks out of canonical order', 'مُحَمَّدٌ हिन्दी'],
    ['sigmas that look beyond their word', 'ΑΣ.Β ΟΔΟΣ ΑΣ·ΑΒΣ ΣΑΣ.Σ'],
    ['a lone surrogate', 'a\ud83db'],
  ])('agrees on %s', (_, text) => {
    expect(counter.count(text)).toBe(reference.count(text));
  });

  it('agrees on any text', () => {
    fc.assert(
      fc.property(wildText, (text) => counter.count(text) === reference.count(text)),
      { numRuns: 400 },
    );
  });

  it('counts any slice as a text of its own, also one that cuts words', () => {
    fc.assert(
      fc.property(wildText, fc.nat(), fc.nat(), (text, one, other) => {
        const [start, end] = slice(text, one, other);
        const map = counter.map(text);
        const tokens = map.count(start, end) + counter.specialTokens;
        const expected = reference.count(text.slice(start, end));
        return map.exact ? tokens === expected : tokens >= expected;
      }),
      { numRuns: 400 },
    );
  });

  it('fits as many whole words into a budget as there is room for', () => {
    fc.assert(
      fc.property(wildText, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 20 }), (text, one, other, budget) => {
        const [start, end] = slice(text, one, other);
        const map = counter.map(text);
        const to = map.fit(start, end, budget);
        expect(to).toBeLessThanOrEqual(end);
        expect(map.count(start, to)).toBeLessThanOrEqual(budget);
        if (to < end)
          expect(map.count(start, map.fit(start, end, budget + 1))).toBeGreaterThanOrEqual(map.count(start, to));
        const from = map.fitBack(start, end, budget);
        expect(from).toBeGreaterThanOrEqual(start);
        expect(map.count(from, end)).toBeLessThanOrEqual(budget);
      }),
      { numRuns: 400 },
    );
  });

  it('finds the same place forwards as a search through all words', () => {
    const text = 'one two unbelievable four';
    const map = counter.map(text);
    const starts = [0, 4, 8, 21, text.length];
    for (let budget = 0; budget < 8; budget += 1) {
      const last = starts.filter((start) => map.count(0, start) <= budget).at(-1);
      expect(map.fit(0, text.length, budget)).toBe(last);
      const first = starts.find((start) => map.count(start, text.length) <= budget);
      expect(map.fitBack(0, text.length, budget)).toBe(first);
    }
  });

  it('tells the share of a text that the model does not know', () => {
    const map = counter.map('今天天气很好 the weather');
    expect(map.tokens).toBe(8);
    expect(map.unknownTokens).toBe(reference.countUnknown('今天天气很好 the weather'));
    expect(map.unknownTokens).toBeGreaterThan(0);
  });

  it('counts a long text in time that grows with its length only', () => {
    const solid = 'q'.repeat(4_000_000);
    const map = counter.map(solid);
    expect(map.count(17, 117)).toBe(counter.count(solid.slice(17, 117)) - counter.specialTokens);
    expect(map.count(17, 200)).toBe(1);
    expect(map.tokens).toBe(1);
  });
});

function slice(text: string, one: number, other: number): [start: number, end: number] {
  const offsets = Array.from(text).reduce<number[]>((all, point) => [...all, (all.at(-1) ?? 0) + point.length], [0]);
  const at = (index: number): number => offsets[index % offsets.length] ?? 0;
  return [Math.min(at(one), at(other)), Math.max(at(one), at(other))];
}
