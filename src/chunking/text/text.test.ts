import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wildText } from '../../testing/generated-texts.js';
import { dropBlanks, isBlankAt, skipBlankLines, skipBlanks } from './blanks.js';
import { CodePoints } from './code-points.js';
import { boundaryFrom, isBoundary, lastBoundary } from './graphemes.js';

const longText = fc.array(wildText, { maxLength: 12 }).map((parts) => parts.join('👩‍👩‍👧 '));

describe('code points', () => {
  it('convert to units and back at every place of any text', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const points = new CodePoints(text);
        let unit = 0;
        Array.from(text).forEach((point, index) => {
          expect([points.pointAt(unit), points.unitAt(index)]).toEqual([index, unit]);
          unit += point.length;
        });
        expect([points.length, points.unitAt(points.length)]).toEqual([Array.from(text).length, text.length]);
      }),
      { numRuns: 60 },
    );
  });

  it('count pairs that lie across the marks of the table', () => {
    for (const lead of [254, 255, 256, 511]) {
      const text = `${'a'.repeat(lead)}🌸${'b'.repeat(600)}🌸`;
      const points = new CodePoints(text);
      expect(points.unitAt(lead + 1)).toBe(lead + 2);
      expect(points.pointAt(lead + 2)).toBe(lead + 1);
      expect(points.advance(lead, 602)).toBe(text.length);
      expect(points.count(lead, lead + 3)).toBe(2);
    }
  });
});

describe('graphemes', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const joining = fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\u0301',
        '🇨',
        '🇳',
        '👩',
        '\u200d',
        '👧',
        '🏽',
        'क',
        '्',
        'ष',
        'ᄀ',
        'ᅡ',
        'ᆨ',
        '가',
        '\u0600',
        'ൎ',
        'ำ',
        '\r',
        '\n',
        'ﾞ',
        '❤',
        '\ufe0f',
        '1',
        '\u20e3',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  it.each([
    ['characters that join', joining],
    ['any text', longText],
  ])('have the boundaries that segmenting the whole text gives, in %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const boundaries = new Set(Array.from(segmenter.segment(text), ({ index }) => index));
        let last = -1;
        for (let at = 1; at < text.length; at += 1) {
          if (boundaries.has(at)) last = at;
          expect([at, lastBoundary(text, 0, at)]).toEqual([at, last]);
          expect(isBoundary(text, 0, at)).toBe(boundaries.has(at));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('have every boundary between two code points that stand by themselves', () => {
    for (let codePoint = 0x21; codePoint < 0x30000; codePoint += 1) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const text = `中${String.fromCodePoint(codePoint)}中`;
      const boundaries = Array.from(segmenter.segment(text), ({ index }) => index);
      for (const at of [1, text.length - 1]) {
        if (isBoundary(text, 0, at) !== boundaries.includes(at)) throw new Error(`U+${codePoint.toString(16)}`);
      }
    }
  });

  it('are found behind a place as well', () => {
    fc.assert(
      fc.property(joining, (text) => {
        const boundaries = [...Array.from(segmenter.segment(text), ({ index }) => index), text.length];
        for (let at = 0; at <= text.length; at += 1) {
          expect(boundaryFrom(text, 0, at)).toBe(boundaries.find((index) => index >= at));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('end in a flag run on whole flags, however long it is', () => {
    const flags = '🇨🇳'.repeat(20_000);
    expect(lastBoundary(flags, 0, 40_002)).toBe(40_000);
  });

  it('have none inside a cluster of ten thousand marks', () => {
    const cluster = `a${'\u0301'.repeat(10_000)}b`;
    expect(lastBoundary(cluster, 0, 9_000)).toBe(-1);
    expect(lastBoundary(`x${cluster}`, 0, 1_000)).toBe(1);
    expect(boundaryFrom(cluster, 0, 500)).toBeGreaterThan(2_000);
    expect(lastBoundary(cluster, 0, 10_001)).toBe(10_001);
  });
});

describe('blanks', () => {
  const blank = /^[\s\p{Cf}\p{Cc}\p{Z}]$/u;

  it('are blanks, controls and format characters, also beyond the basic plane', () => {
    for (let codePoint = 0; codePoint < 0xe0100; codePoint += 1) {
      const character = String.fromCodePoint(codePoint);
      if (isBlankAt(character, 0) !== blank.test(character)) throw new Error(`U+${codePoint.toString(16)}`);
    }
  });

  it('are left out at both ends', () => {
    const text = ' \u200b\n a b \u{e0001}\u3000';
    expect([skipBlanks(text, 0, text.length), dropBlanks(text, 0, text.length)]).toEqual([4, 7]);
    expect([skipBlanks(' \n', 0, 2), dropBlanks(' \n', 0, 2)]).toEqual([2, 0]);
  });

  it('stay as the indentation of the first line, but not without measure', () => {
    expect(skipBlankLines('\n\n    code', 0, 10)).toBe(2);
    expect(skipBlankLines('    code', 0, 8)).toBe(0);
    expect(skipBlankLines('a    code', 1, 9)).toBe(5);
    expect(skipBlankLines(`\n${' '.repeat(500)}code`, 0, 505)).toBe(501);
    expect(skipBlankLines('\n \n', 0, 3)).toBe(3);
  });
});
