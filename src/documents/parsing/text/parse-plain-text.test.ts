import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { unpackBlocks } from '../packed-blocks.js';
import { parsePlainText } from './parse-plain-text.js';

function pieces(text: string): string[] {
  const points = Array.from(text);
  return unpackBlocks(parsePlainText(text, 1_000)).map(({ charStart, charEnd }) =>
    points.slice(charStart, charEnd).join(''),
  );
}

describe('parsePlainText', () => {
  it('parts paragraphs at blank lines, those of other scripts too', () => {
    expect(pieces('one\nstill one\n\n\n  two\n\u3000\n# three 😀\n')).toEqual(['one\nstill one', 'two', '# three 😀']);
  });

  it('gives nothing for nothing', () => {
    expect(pieces('')).toEqual([]);
    expect(pieces(' \n\t\n')).toEqual([]);
  });

  it('cuts a long paragraph at a line end', () => {
    const line = `${'x'.repeat(99)}\n`;
    const parts = pieces(line.repeat(400));
    expect(parts).toHaveLength(3);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(16_000);
    expect(parts.map((part) => part.split('\n').length)).toEqual([160, 160, 80]);
  });

  it('cuts a long line at a blank, and where there is none between whole characters', () => {
    expect(pieces('word '.repeat(5_000)).every((part) => /^(?:word )*word$/.test(part))).toBe(true);
    const families = pieces('👨‍👩‍👧'.repeat(5_000));
    expect(families.length).toBeGreaterThan(2);
    for (const part of families) expect(part).toMatch(/^(?:👨‍👩‍👧)+$/u);
  });

  it('reads a line of 5 MB in time', () => {
    const begun = performance.now();
    expect(unpackBlocks(parsePlainText('长'.repeat(5_000_000), 1_000))).toHaveLength(313);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('refuses a text of too many paragraphs', () => {
    expect(() => parsePlainText('a\n\n'.repeat(1_001), 1_000)).toThrow('more than 1000');
  });

  it('leaves no text out, whatever the text is', () => {
    const lines = fc.array(fc.constantFrom('a', ' b ', '', ' ', '\u3000c', '😀', '\t'), { maxLength: 20 });
    fc.assert(
      fc.property(lines, (all) => {
        const text = all.join('\n');
        expect(pieces(text).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});
