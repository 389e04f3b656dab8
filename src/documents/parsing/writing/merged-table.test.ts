import { describe, expect, it } from '@jest/globals';
import { testReadLimits } from '../../../testing/read-bytes.js';
import { DocumentWriter } from './document-writer.js';
import type { MergedCell, MergedRow } from './merged-cells.js';
import { mergedTableText, writeMergedTable } from './merged-table.js';

const cell = (text: string, more: Partial<MergedCell> = {}): MergedCell => ({ text, ...more });
const row = (...cells: (string | MergedCell)[]): MergedRow => ({
  cells: cells.map((each) => (typeof each === 'string' ? cell(each) : each)),
});
const name = (text: string, more: Partial<MergedCell> = {}): MergedCell => cell(text, { isHeader: true, ...more });

function written(...rows: MergedRow[]): string {
  const out = new DocumentWriter(testReadLimits);
  writeMergedTable(rows, out);
  return out.finish().text;
}

describe('writeMergedTable', () => {
  it('fills every place that a merged cell covers', () => {
    expect(written(row('a', 'b', 'c'), row(cell('x', { columns: 2 }), cell('1', { rows: 2 })), row('y', 'z'))).toBe(
      '| a | b | c |\n| --- | --- | --- |\n| x | x | 1 |\n| y | z | 1 |',
    );
  });

  it('joins names that stand above each other', () => {
    const first = row(name('Region', { rows: 2 }), name('Sales', { columns: 2 }));
    expect(written(first, row(name('Q1'), name('Q2')), row('North', '1', '2'))).toBe(
      '| Region | Sales / Q1 | Sales / Q2 |\n| --- | --- | --- |\n| North | 1 | 2 |',
    );
  });

  it('takes a first cell above all columns for the caption', () => {
    expect(written(row(cell('Prices', { columns: 9 })), row('Item', 'Price'), row('Tea', '2'))).toBe(
      'Prices\n\n| Item | Price |\n| --- | --- |\n| Tea | 2 |',
    );
  });

  it('has no columns in which no cell begins', () => {
    expect(written(row('a', 'b'), row(cell('none yet', { columns: 100 })))).toBe(
      '| a | b |\n| --- | --- |\n| none yet | none yet |',
    );
  });

  it('leaves out rows without a word', () => {
    expect(written(row(name('a'), name('b')), row('', ' '), row('1', ''))).toBe('| a | b |\n| --- | --- |\n| 1 |  |');
  });

  it('gives columns no names where only rows have them', () => {
    expect(written(row(name('Name'), 'Li'), row(name('Town'), 'Wuhan'))).toBe(
      '|  |  |\n| --- | --- |\n| Name | Li |\n| Town | Wuhan |',
    );
  });

  it('takes names above an empty corner for a header', () => {
    expect(written(row('', name('x'), name('y')), row(name('r'), '1', '2'))).toBe(
      '|  | x | y |\n| --- | --- | --- |\n| r | 1 | 2 |',
    );
  });

  it('does not repeat a long text, nor any text without end', () => {
    const long = 'word '.repeat(1_000).trim();
    expect(written(row(cell(long, { rows: 2 }), '1'), row('2'))).toBe(
      `|  |  |\n| --- | --- |\n| ${long} | 1 |\n|  | 2 |`,
    );
    const wide = Array.from({ length: 2_000 }, () => cell('', { columns: 1_000, rows: 65_000 }));
    const rows = Array.from({ length: 1_000 }, (_, i) => row(`${i}`));
    expect(written({ cells: wide }, ...rows)).toContain('999');
  });

  it('writes the cells of a table that no spreadsheet could hold, column or not', () => {
    const text = written({ cells: Array.from({ length: 20_000 }, (_, i) => cell(`c${i}`)) }, row('last'));
    expect(text).toContain('c19999');
    expect(text).toContain('last');
  });
});

describe('mergedTableText', () => {
  it('writes a table as the text of a cell', () => {
    expect(mergedTableText([row('a', '', 'b'), row(''), row(cell('c', { columns: 2 }), 'd')])).toBe('a, b; c, d');
  });
});
