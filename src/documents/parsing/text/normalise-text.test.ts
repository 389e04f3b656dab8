import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normaliseText } from './normalise-text.js';

describe('normaliseText', () => {
  it('drops a byte order mark without counting it', () => {
    expect(normaliseText('\ufefftext')).toEqual({ text: 'text', removed: 0 });
  });

  it('ends every line the same way', () => {
    expect(normaliseText('a\r\nb\rc\n\rd\fe\vf')).toEqual({ text: 'a\nb\nc\n\nd\ne\nf', removed: 0 });
  });

  it('takes out zeros, other controls and lone halves, and says how many', () => {
    expect(normaliseText('in\0side # head\0ing \ud800\udc00\ud800 \u001b\u007f\ufffe\ufdd0\u{1ffff}')).toEqual({
      text: 'inside # heading \ud800\udc00 ',
      removed: 8,
    });
  });

  it('keeps tabs, odd line ends, joiners and marks as they are', () => {
    const text = '\ta\u0085b\u2028c\u200dd\u0301\u00a0\u3000\ufffd👨‍👩‍👧';
    expect(normaliseText(text)).toEqual({ text, removed: 0 });
  });

  it('changes nothing the second time, and gives what every store takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.integer({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) }), (any) => {
        const { text } = normaliseText(any);
        expect(normaliseText(text)).toEqual({ text, removed: 0 });
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(text).not.toMatch(/[\0\r]/);
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});
