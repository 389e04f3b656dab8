import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textSegments } from './text-segments.js';

describe('textSegments', () => {
  it('cuts by code points, never inside one', () => {
    expect(textSegments('a😀b𠮷c', 2)).toEqual([
      { charStart: 0, charEnd: 2, content: 'a😀' },
      { charStart: 2, charEnd: 4, content: 'b𠮷' },
      { charStart: 4, charEnd: 5, content: 'c' },
    ]);
  });

  it('makes none of an empty text, and no empty one at the end', () => {
    expect(textSegments('', 2)).toEqual([]);
    expect(textSegments('ab', 2)).toEqual([{ charStart: 0, charEnd: 2, content: 'ab' }]);
  });

  it('gives the whole text, without a gap, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        const segments = textSegments(text, size);
        expect(segments.map(({ content }) => content).join('')).toBe(text);
        let at = 0;
        for (const { charStart, charEnd, content } of segments) {
          expect(charStart).toBe(at);
          expect(charEnd - charStart).toBe(Array.from(content).length);
          at = charEnd;
        }
      }),
      { numRuns: 300, seed: 2 },
    );
  });
});
