import { describe, expect, it } from '@jest/globals';
import { pieceAt } from '../../../../../testing/text-pieces.js';
import { alignedTable, rowsOf, type AlignedTable } from './aligned-table.js';
import { linesOf } from './rows.js';

type Placed = readonly [left: number, text: string];

function tableOf(rows: readonly (readonly Placed[])[], pitch = 14): AlignedTable | undefined {
  const pieces = rows.flatMap((row, i) => row.map(([left, text]) => pieceAt(left, 100 + pitch * i, text)));
  return alignedTable(rowsOf(linesOf(pieces)), 0);
}

describe('alignedTable', () => {
  it('tells columns by the blanks between them', () => {
    const table = tableOf([
      [
        [50, 'Month'],
        [150, 'Rain'],
      ],
      [
        [50, 'January'],
        [150, '61'],
      ],
      [
        [50, 'February'],
        [150, '49'],
      ],
    ]);
    expect(table).toEqual({
      lineCount: 3,
      rows: [
        ['Month', 'Rain'],
        ['January', '61'],
        ['February', '49'],
      ],
    });
  });

  it('reads columns that end below each other, and leaves missing cells empty', () => {
    const table = tableOf([
      [
        [50, 'a'],
        [195, '1'],
        [290, '10'],
      ],
      [
        [50, 'b'],
        [185, '200'],
        [295, '3'],
      ],
      [
        [50, 'c'],
        [285, '150'],
      ],
    ]);
    expect(table?.rows).toEqual([
      ['a', '1', '10'],
      ['b', '200', '3'],
      ['c', '', '150'],
    ]);
  });

  it('fills a cell that stands over two columns into both', () => {
    const rows = [
      [
        [50, 'x'],
        [150, 'over two of them, wide'],
      ],
      ...Array.from({ length: 7 }, (_, i) => [
        [50, `r${i}`],
        [150, `${i}`],
        [250, `${i}`],
      ]),
    ] as unknown as Placed[][];
    expect(tableOf(rows)?.rows[0]).toEqual(['x', 'over two of them, wide', 'over two of them, wide']);
  });

  it('joins the second line of a cell to its row', () => {
    const table = tableOf(
      [
        [
          [50, 'a'],
          [150, 'a text of two'],
          [300, '1'],
        ],
        [[150, 'lines']],
        [
          [50, 'b'],
          [150, 'one line'],
          [300, '2'],
        ],
        [
          [50, 'c'],
          [150, 'one line'],
          [300, '3'],
        ],
      ],
      12,
    );
    expect(table?.rows[0]).toEqual(['a', 'a text of two lines', '1']);
    expect(table?.lineCount).toBe(4);
  });

  it.each<[string, Placed[][]]>([
    [
      'the items of a list',
      [
        [
          [50, '1.'],
          [80, 'one'],
        ],
        [
          [50, '2.'],
          [80, 'two'],
        ],
        [
          [50, '3.'],
          [80, 'three'],
        ],
      ],
    ],
    [
      'two lines with a gap',
      [
        [
          [50, 'a'],
          [150, 'b'],
        ],
        [
          [50, 'c'],
          [150, 'd'],
        ],
      ],
    ],
    [
      'gaps that are not below each other',
      [
        [
          [50, 'a'],
          [150, 'b'],
        ],
        [
          [90, 'c'],
          [210, 'd'],
        ],
        [
          [130, 'e'],
          [300, 'f'],
        ],
        [
          [170, 'g'],
          [260, 'h'],
        ],
      ],
    ],
    ['lines of text', [[[50, 'one line']], [[50, 'another line']], [[50, 'and one more']]]],
  ])('does not take %s for a table', (_, rows) => {
    expect(tableOf(rows)).toBeUndefined();
  });
});
