import { describe, expect, it } from '@jest/globals';
import { linesAt, pieceAt } from '../../../../../testing/text-pieces.js';
import type { Line } from './line.js';
import { flowOf } from './line-flow.js';
import { PitchMemory } from './pitch-memory.js';
import { paragraphsOf } from './paragraphs.js';
import { linesOf } from './rows.js';

const full = 'a line of text that reaches as far as its column does';
const fuller = (end: string): string => `${full.slice(0, -end.length - 1)} ${end}`;

function textsOf(lines: readonly Line[]): string[] {
  const flow = flowOf(lines);
  const pitches = new PitchMemory();
  pitches.note(flow);
  return paragraphsOf(flow, pitches).map(({ text, mark }) => (mark ? `${mark.mark}|${text}` : text));
}

describe('paragraphsOf', () => {
  it('joins the lines of a paragraph', () => {
    expect(textsOf(linesAt(50, 100, [full, full, 'to its end.']))).toEqual([`${full} ${full} to its end.`]);
  });

  it('parts paragraphs by the blank between them', () => {
    const lines = [...linesAt(50, 100, [full, full, full, full]), ...linesAt(50, 156, [full, 'end'])];
    expect(textsOf(lines)).toHaveLength(2);
  });

  it('parts paragraphs by the indentation of their first lines', () => {
    const lines = [
      ...linesAt(60, 100, [full]),
      ...linesAt(50, 112, [full]),
      ...linesAt(60, 124, [full]),
      ...linesAt(50, 136, [full]),
    ];
    expect(textsOf(lines)).toHaveLength(2);
  });

  it('parts paragraphs where a sentence ends early', () => {
    expect(textsOf(linesAt(50, 100, [full, 'ends here.', full, full]))).toHaveLength(2);
  });

  it('keeps lines that were ended on purpose', () => {
    expect(textsOf(linesAt(50, 100, ['12 Pier Road', 'Northtown', full, full]))[0]).toBe(
      `12 Pier Road\nNorthtown\n${full} ${full}`,
    );
  });

  it('keeps entries of a table of contents on their lines', () => {
    const entries = [
      'Introduction ............................... 1',
      'A somewhat longer title ..................... 12',
    ];
    expect(textsOf(linesAt(50, 100, entries))).toEqual([entries.join('\n')]);
  });

  it('parts texts of another size or weight', () => {
    const lines = [
      ...linesAt(50, 100, ['Heading'], { weight: 2 }),
      ...linesAt(50, 112, [full, full]),
      ...linesAt(50, 136, ['small'], { size: 8 }),
    ];
    expect(textsOf(lines)).toEqual(['Heading', `${full} ${full}`, 'small']);
  });

  it('keeps a bold line within a sentence', () => {
    const lines = linesOf([pieceAt(50, 100, full), pieceAt(50, 112, full, { weight: 2 }), pieceAt(50, 124, full)]);
    expect(textsOf(lines)).toHaveLength(1);
  });

  it('begins an item at each mark, and hangs its lines on it', () => {
    const item = linesOf([pieceAt(50, 112, '•'), pieceAt(60, 112, full), pieceAt(60, 124, 'goes on')]);
    const lines = [...linesAt(50, 100, ['Items:']), ...item, ...linesAt(50, 136, ['• two'])];
    expect(textsOf(lines)).toEqual(['Items:', `•|${full} goes on`, '•|two']);
  });

  it('does not begin an item at an initial within a sentence', () => {
    expect(textsOf(linesAt(50, 100, [full, fuller('by'), 'A. Author, and by others too']))).toHaveLength(1);
  });

  it('mends words over line ends, and leaves open whether the hyphen stays', () => {
    expect(textsOf(linesAt(50, 100, [fuller('har-'), `bour${full.slice(4)}`, 'end']))[0]).toContain('har\u00adbour');
    expect(textsOf(linesAt(50, 100, [fuller('Anglo-'), `Saxon ${full.slice(6)}`, 'end']))[0]).toContain('Anglo-Saxon');
  });

  it('joins lines of Chinese without blanks', () => {
    const lines = linesOf(
      ['港口是供船舶停靠的地方', '在沿海起着重要的作用。'].map((text, i) =>
        pieceAt(50, 100 + 14 * i, text, { right: 160 }),
      ),
    );
    expect(textsOf(lines)).toEqual(['港口是供船舶停靠的地方在沿海起着重要的作用。']);
  });

  it('keeps code as it stands', () => {
    const code = ['if ready:', 'start()', 'end'].map((text, i) =>
      pieceAt(i === 1 ? 70 : 50, 100 + 12 * i, text, { isMono: true }),
    );
    expect(textsOf(linesOf(code))).toEqual(['if ready:\n    start()\nend']);
  });
});
