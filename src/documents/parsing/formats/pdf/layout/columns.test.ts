import { describe, expect, it } from '@jest/globals';
import { painted, pieceAt } from '../../../../../testing/text-pieces.js';
import type { TextPiece } from '../content/page-content.js';
import { readingParts } from './columns.js';

const long = 'a line that fills the whole of its column';

function column(left: number, top: number, count: number, name: string): TextPiece[] {
  return Array.from({ length: count }, (_, i) => pieceAt(left, top + 12 * i, `${name}${i} ${long}`));
}

/** The first words of each part. */
function read(pieces: readonly TextPiece[]): string[] {
  return readingParts(pieces).map((part) => part.map(({ text }) => text.split(' ')[0]).join(' '));
}

describe('readingParts', () => {
  it('reads a page without columns as one part', () => {
    expect(read(column(50, 100, 5, 'a'))).toEqual(['a0 a1 a2 a3 a4']);
  });

  it('reads one column after the other where they were painted so', () => {
    const columns = painted([...column(50, 100, 4, 'a'), ...column(300, 103, 5, 'b')]);
    expect(read(columns)).toEqual(['a0 a1 a2 a3', 'b0 b1 b2 b3 b4']);
  });

  it('reads columns of full lines one after the other in whatever order they were painted', () => {
    const [left, right] = [column(50, 100, 6, 'a'), column(300, 100, 6, 'b')];
    const across = painted(left.flatMap((piece, i) => [piece, ...right.slice(i, i + 1)]));
    expect(read(across)).toEqual(['a0 a1 a2 a3 a4 a5', 'b0 b1 b2 b3 b4 b5']);
  });

  it('reads what runs over the columns before and after them', () => {
    const title = pieceAt(50, 80, 'title', { right: 500 });
    const end = pieceAt(50, 200, 'end', { right: 500 });
    const columns = painted([title, ...column(50, 100, 4, 'a'), ...column(300, 100, 4, 'b'), end]);
    expect(read(columns)).toEqual(['title', 'a0 a1 a2 a3', 'b0 b1 b2 b3', 'end']);
  });

  it('leaves the last line of a text over the columns with that text', () => {
    const summary = [pieceAt(50, 70, 'over', { right: 500 }), pieceAt(50, 82, 'rest')];
    const columns = painted([...summary, ...column(50, 110, 4, 'a'), ...column(300, 110, 4, 'b')]);
    expect(read(columns)).toEqual(['over rest', 'a0 a1 a2 a3', 'b0 b1 b2 b3']);
  });

  it('reads three columns', () => {
    const columns = painted([...column(20, 100, 4, 'a'), ...column(250, 100, 4, 'b'), ...column(480, 100, 4, 'c')]);
    expect(read(columns)).toEqual(['a0 a1 a2 a3', 'b0 b1 b2 b3', 'c0 c1 c2 c3']);
  });

  it('reads columns of Hebrew from the right', () => {
    const columns = painted([...column(300, 100, 4, 'א'), ...column(50, 100, 4, 'ב')]).map((piece) => ({
      ...piece,
      text: piece.text.replace(long, 'שורה אחת מן הטקסט'),
    }));
    expect(read(columns)).toEqual(['א0 א1 א2 א3', 'ב0 ב1 ב2 ב3']);
  });

  it.each<[string, (row: number) => TextPiece[]]>([
    ['short cells', (row) => [pieceAt(50, 100 + 12 * row, `n${row}`), pieceAt(300, 100 + 12 * row, `v${row}`)]],
    [
      'a column of words beside one of numbers',
      (row) => [
        pieceAt(50, 100 + 12 * row, `word${row} ${'x'.repeat(5 + ((row * 7) % 20))}`),
        pieceAt(300, 100 + 12 * row, `${row * 371}`),
      ],
    ],
  ])('keeps the rows of a table together: %s', (_, rowOf) => {
    const rows = painted(Array.from({ length: 8 }, (_unused, row) => rowOf(row)).flat());
    expect(read(rows)).toHaveLength(1);
  });

  it('does not take a few lines side by side for columns', () => {
    expect(read(painted([...column(50, 100, 2, 'a'), ...column(300, 100, 2, 'b')]))).toHaveLength(1);
  });
});
