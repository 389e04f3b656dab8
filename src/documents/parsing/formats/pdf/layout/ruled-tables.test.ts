import { describe, expect, it } from '@jest/globals';
import { pieceAt } from '../../../../../testing/text-pieces.js';
import type { Rule } from '../content/page-content.js';
import { spreadCells } from '../../../writing/merged-cells.js';
import { ruledTables, type FoundTable } from './ruled-tables.js';

const across = (at: number, from: number, to: number): Rule => ({ at, from, to });
/** Columns of 100 points from 0, rows of 20 points from 0. */
function grid(columns: number, rows: number): { level: Rule[]; upright: Rule[] } {
  return {
    level: Array.from({ length: rows + 1 }, (_, i) => across(20 * i, 0, 100 * columns)),
    upright: Array.from({ length: columns + 1 }, (_, i) => across(100 * i, 0, 20 * rows)),
  };
}
const cell = (column: number, row: number, text: string): ReturnType<typeof pieceAt> =>
  pieceAt(100 * column + 5, 20 * row + 14, text);

const textsOf = (table: FoundTable | undefined): (readonly string[])[] =>
  spreadCells(table?.rows ?? []).map(({ texts }) => texts);

describe('ruledTables', () => {
  it('puts texts into the cells that lines form', () => {
    const pieces = [cell(0, 0, 'a'), cell(1, 0, 'b'), cell(0, 1, 'c'), cell(1, 1, 'd'), pieceAt(0, 80, 'below')];
    const { tables, others } = ruledTables(pieces, grid(2, 2));
    expect(tables.map(textsOf)).toEqual([
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ]);
    expect(others.map(({ text }) => text)).toEqual(['below']);
  });

  it('fills merged cells', () => {
    const { level, upright } = grid(3, 3);
    const open = {
      // Between rows 1 and 2 of the first column, and between the last two columns of row 0, no line is drawn.
      level: [...level.filter(({ at }) => at !== 40), across(40, 100, 300)],
      upright: [...upright.filter(({ at }) => at !== 200), across(200, 20, 60)],
    };
    const pieces = [
      cell(0, 0, 'a'),
      cell(1, 0, 'wide'),
      cell(0, 1, 'tall'),
      cell(1, 1, 'b'),
      cell(2, 1, 'c'),
      cell(1, 2, 'd'),
      cell(2, 2, 'e'),
    ];
    expect(textsOf(ruledTables(pieces, open).tables[0])).toEqual([
      ['a', 'wide', 'wide'],
      ['tall', 'b', 'c'],
      ['tall', 'd', 'e'],
    ]);
  });

  it('knows tables without lines at their sides', () => {
    const { level, upright } = grid(2, 3);
    const inner = upright.filter(({ at }) => at === 100);
    const pieces = [cell(0, 0, 'a'), cell(1, 0, 'b'), cell(0, 1, 'c'), cell(1, 1, 'd'), cell(0, 2, 'e')];
    expect(textsOf(ruledTables(pieces, { level, upright: inner }).tables[0])).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', ''],
    ]);
  });

  it('parts rows that only stand on lines of their own', () => {
    const level = [across(0, 0, 200), across(20, 0, 200), across(80, 0, 200)];
    const upright = [0, 100, 200].map((at) => across(at, 0, 80));
    const rows = ['x', 'y', 'z'].flatMap((text, i) => [
      pieceAt(5, 34 + 14 * i, text),
      pieceAt(105, 34 + 14 * i, `${i}`),
    ]);
    const { tables } = ruledTables([cell(0, 0, 'name'), cell(1, 0, 'value'), ...rows], { level, upright });
    expect(textsOf(tables[0])).toEqual([
      ['name', 'value'],
      ['x', '0'],
      ['y', '1'],
      ['z', '2'],
    ]);
  });

  it('joins the lines of a cell', () => {
    const pieces = [cell(0, 0, 'a'), cell(1, 0, 'b'), pieceAt(5, 28, 'two'), pieceAt(5, 37, 'lines'), cell(1, 1, 'd')];
    expect(textsOf(ruledTables(pieces, grid(2, 2)).tables[0])[1]).toEqual(['two lines', 'd']);
  });

  it('parts a text that runs through the line between two cells', () => {
    const pieces = [pieceAt(60, 14, 'left one right one', { right: 150 }), cell(0, 1, 'c'), cell(1, 1, 'd')];
    expect(textsOf(ruledTables(pieces, grid(2, 2)).tables[0])[0]).toEqual(['left one', 'right one']);
  });

  it.each([
    ['a frame round a text', grid(1, 2)],
    ['a grid that is hardly written in', grid(8, 8)],
    ['lines that do not meet', { level: [across(0, 0, 200), across(40, 0, 200)], upright: [across(300, 0, 40)] }],
  ])('does not take %s for a table', (_, rules) => {
    const pieces = [cell(0, 0, 'a'), cell(0, 1, 'b')];
    expect(ruledTables(pieces, rules)).toEqual({ tables: [], others: pieces });
  });
});
