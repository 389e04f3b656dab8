import { describe, expect, it } from '@jest/globals';
import { cells, xlsxFile, type XlsxSheet } from '../../../../testing/fixtures/xlsx-file.js';
import type { OfficePart } from '../../../../testing/fixtures/office-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

async function sheetText(rows: string, sheet: Partial<XlsxSheet> = {}): Promise<string> {
  const { text } = await readBytes(xlsxFile([{ name: 'S', rows, ...sheet }]), { fileName: 'a.xlsx' });
  return text.replace('# S\n\n', '');
}

const merges = (...areas: string[]): string =>
  `<mergeCells>${areas.map((area) => `<mergeCell ref="${area}"/>`).join('')}</mergeCells>`;

describe('tables of sheets', () => {
  it('are parted by blank rows, without what is blank around them, and have captions', async () => {
    const rows =
      cells(3, ['Sales of 2024'], { from: 'C' }) +
      cells(4, ['Region', 'Sum'], { from: 'C' }) +
      cells(5, ['North', 5], { from: 'C' }) +
      '<row r="6"><c r="C6" s="3"/></row>' +
      cells(7, ['Key', 'Value', 'Note'], { from: 'B' }) +
      cells(8, ['a', 1, 'x'], { from: 'B' }) +
      cells(12, ['A remark'], { from: 'E' }) +
      cells(13, ['of two lines'], { from: 'E' }) +
      cells(15, ['Total', 6], { from: 'B' });
    expect(await sheetText(rows)).toBe(
      [
        'Sales of 2024',
        '| Region | Sum |\n| --- | --- |\n| North | 5 |',
        '| Key | Value | Note |\n| --- | --- | --- |\n| a | 1 | x |',
        'A remark',
        'of two lines',
        'Total; 6',
      ].join('\n\n'),
    );
  });

  it('show merged cells in each place that they cover', async () => {
    const rows =
      cells(1, ['Report']) +
      cells(2, ['Name', 'Sales', '']) +
      cells(3, ['', 'Q1', 'Q2']) +
      cells(4, ['North', 1, 2]) +
      cells(5, ['', 3, 4]) +
      cells(6, ['South', 5, '']) +
      cells(7, ['', '', '']) +
      cells(8, ['far', 'away']);
    const after =
      merges('A1:XFD1', 'A2:A3', 'B2:C2', 'A4:A5', 'B6:XFD6', 'A6:A7', 'A8:A1048576') + '<autoFilter ref="A3:C6"/>';
    expect(await sheetText(rows, { after })).toBe(
      [
        'Report',
        '| Name | Sales / Q1 | Sales / Q2 |\n| --- | --- | --- |\n| North | 1 | 2 |\n| North | 3 | 4 |\n| South | 5 | 5 |',
        'far; away',
      ].join('\n\n'),
    );
  });

  it.each<[string, Partial<XlsxSheet>]>([
    ['a filter', { after: '<autoFilter ref="A1:B3"/>' }],
    [
      'a frozen row',
      { before: '<sheetViews><sheetView><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>' },
    ],
    ['a named table', { parts: [tablePart('')] }],
  ])('have the header that %s names', async (_, sheet) => {
    expect(await sheetText(cells(1, [2023, 2024]) + cells(2, [1, 2]), sheet)).toBe(
      '| 2023 | 2024 |\n| --- | --- |\n| 1 | 2 |',
    );
  });

  it('have no header where nothing says so', async () => {
    const rows = cells(1, [2023, 2024]) + cells(2, [1, 2]);
    const headless = '|  |  |\n| --- | --- |\n| 2023 | 2024 |\n| 1 | 2 |';
    expect(await sheetText(rows)).toBe(headless);
    expect(await sheetText(rows, { parts: [tablePart('headerRowCount="0"')] })).toBe(headless);
  });

  it('go on under the same names where their rows become wider', async () => {
    const long = Array.from({ length: 30 }, (_, i) => cells(i + 2, [i, i * 2], { from: 'B' })).join('');
    const rows =
      cells(1, ['n', 'm'], { from: 'B' }) + long + cells(32, ['x', 1, 2, 'remark']) + cells(33, [7, 8], { from: 'B' });
    expect(await sheetText(rows)).toMatch(
      /^\| n \| m \|\n\| --- \| --- \|\n\| 0 \| 0 \|\n[^]*\| 29 \| 58 \|\n\n\|  \| n \| m \|  \|\n[^]*\n\| x \| 1 \| 2 \| remark \|\n\|  \| 7 \| 8 \|  \|$/,
    );
  });

  it('that are wide become rows with their names', async () => {
    const wide = (row: number, values: readonly (string | number)[]): string =>
      `<row r="${row}">${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;
    const names = Array.from({ length: 22 }, (_, i) => `name ${String.fromCharCode(97 + i)}`);
    const rows =
      wide(1, names) +
      wide(
        2,
        names.map((_, i) => i),
      ) +
      wide(
        3,
        names.map((_, i) => i * 2),
      );
    const text = await sheetText(rows);
    expect(text).toMatch(/^name a: 0; name b: 1; [^\n]*; name v: 21\n\nname a: 0; name b: 2; [^\n]*; name v: 42$/);
  });
});

function tablePart(attributes: string): OfficePart {
  const xml = `<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" ref="A1:B3" ${attributes}><tableColumns/></table>`;
  return { name: 'xl/tables/table1.xml', relation: 'table', xml };
}
