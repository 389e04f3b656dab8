import { describe, expect, it } from '@jest/globals';
import { Portions } from './portions.js';

function allOf(portions: Portions): number[][] {
  const all: number[][] = [];
  for (let next = portions.next(); next.length > 0; next = portions.next()) all.push(next);
  return all;
}

describe('Portions', () => {
  it('deals out every text once', () => {
    const texts = Array.from({ length: 100 }, (_, n) => 'x'.repeat((n * 37) % 500));
    const dealt = allOf(new Portions(texts, 2)).flat();
    expect(dealt.sort((a, b) => a - b)).toEqual([...texts.keys()]);
  });

  it('starts with the longest and ends with single texts', () => {
    const texts = Array.from({ length: 40 }, (_, n) => 'x'.repeat(100 + n));
    const dealt = allOf(new Portions(texts, 2));
    expect(dealt[0]?.[0]).toBe(39);
    expect(dealt[0]?.length).toBeGreaterThan(3);
    expect(dealt.at(-1)).toEqual([0]);
    expect(dealt.at(-2)).toHaveLength(1);
  });

  it('never deals out more than a query can wait for', () => {
    const dealt = allOf(new Portions(new Array<string>(10_000).fill('x'), 1));
    expect(Math.max(...dealt.map((portion) => portion.length))).toBe(8);
  });

  it('deals out nothing of nothing, and nothing once closed', () => {
    expect(new Portions([], 2).next()).toEqual([]);
    const portions = new Portions(['a', 'b'], 1);
    portions.close();
    expect(portions.next()).toEqual([]);
  });
});
