import { describe, expect, it } from '@jest/globals';
import {
  cells,
  text,
  value,
  xlsxFile,
  type XlsxParts,
  type XlsxSheet,
} from '../../../../testing/fixtures/xlsx-file.js';
import { asStrict } from '../../../../testing/fixtures/office-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';
import type { ParsedText } from '../../../../domain/text/block.js';

const read = (bytes: Uint8Array, fileName = 'a.xlsx'): Promise<ParsedText> => readBytes(bytes, { fileName });

/** The text of a sheet, without its name. */
async function sheetText(rows: string, sheet: Partial<XlsxSheet> = {}, parts: XlsxParts = {}): Promise<string> {
  const parsed = await read(xlsxFile([{ name: 'S', rows, ...sheet }], parts));
  return parsed.text.replace('# S\n\n', '');
}

const row = (number: number, content: string): string => `<row r="${number}">${content}</row>`;
const messagesOf = ({ warnings }: ParsedText): string[] => warnings.map(({ code, message }) => `${code} ${message}`);

describe('cells', () => {
  it('hold texts: shared, their own, in several fonts, without what says how to pronounce them', async () => {
    const strings = [
      '<t>plain</t>',
      '<r><t xml:space="preserve">two </t></r><r><rPr><b/></rPr><t>fonts</t></r>',
      '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>',
      '<t>a_x000D_b_x005F_x0041_</t>',
    ];
    const shared = [0, 1, 2, 3].map((index, i) => value(`${'ABCD'[i]}1`, String(index), { type: 's' })).join('');
    const inline = '<c r="A2" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh><t>x</t></rPh></is></c>';
    const rows =
      row(1, shared) + row(2, inline + value('B2', 'result', { type: 'str' }) + value('C2', '99', { type: 's' }));
    expect(await sheetText(rows, {}, { strings })).toBe(
      '| plain | two fonts | 東京 | a b_x0041_ |\n| --- | --- | --- | --- |\n| inline | result |  |  |',
    );
  });

  it('keep words that look like nothing', async () => {
    const rows =
      cells(1, ['Name', 'Value']) +
      ['N/A', 'NULL', 'None', 'nan', '#N/A'].map((word, i) => cells(i + 2, [word, i])).join('');
    expect(await sheetText(rows)).toBe(
      '| Name | Value |\n| --- | --- |\n| N/A | 0 |\n| NULL | 1 |\n| None | 2 |\n| nan | 3 |\n| #N/A | 4 |',
    );
  });

  it('show numbers as their format says', async () => {
    const formats = [
      '0.00%',
      '#,##0.00 "€"',
      '[$€-407] #,##0.00',
      '0.0_);[Red](0.0)',
      '"No. "@',
      '???',
      'bad[[',
      '# ?/?',
      '[h]:mm',
    ];
    const shown = [
      ['0.256', 1],
      ['1234.5', 2],
      ['1234.5', 3],
      ['-7', 4],
      ['5', 6],
      ['3.50', 7],
      ['1.5', 8],
      ['1.5', 9],
      ['0.30000000000000004', 0],
      ['123456789012345', 0],
      ['1E-10', 0],
      ['1e21', 0],
      ['x', 0],
    ] as const;
    const rows = shown.map(([written, format], i) =>
      row(i + 1, text(`A${i + 1}`, `r${i}`) + value(`B${i + 1}`, written, { format })),
    );
    const named = row(20, text('A20', 'a') + '<c r="B20" s="5" t="str"><v>12</v></c>');
    const lines = (await sheetText(rows.join('') + named, {}, { formats })).split('\n');
    expect(lines.slice(2, 15).map((line) => line.split(' | ')[1]?.replace(' |', ''))).toEqual([
      '25.60%',
      '1,234.50 €',
      '€ 1,234.50',
      '(7.0)',
      '5',
      '3.5',
      '1 1/2',
      '36:00',
      '0.3',
      '123456789012345',
      '1E-10',
      '1E+21',
      'x',
    ]);
    expect(lines.at(-1)).toBe('a; No. 12');
  });

  it('show dates as their format says, and unmistakably where that leaves it to the country', async () => {
    const formats = ['yyyy\\-mm\\-dd', 'd. mmmm yyyy', '[$-804]yyyy"年"m"月"d"日"', 14, 22, 31, 20, 'mmm\\-yy'];
    const dates = (shift: number): string =>
      row(
        1,
        [1, 2, 3, 4, 5, 6, 7, 8]
          .map((format, i) =>
            value(`${'ABCDEFGH'[i]}1`, String((format === 7 ? 0.75 : 45306.5) - shift * Number(format !== 7)), {
              format,
            }),
          )
          .join(''),
      );
    const expected =
      '2024-01-15; 15. January 2024; 2024年1月15日; 2024-01-15; 2024-01-15 12:00; 2024-01-15 12:00; 18:00; Jan-24';
    expect(await sheetText(dates(0), {}, { formats })).toBe(expected);
    expect(await sheetText(dates(1462), {}, { formats, date1904: true })).toBe(expected);
    const amount = row(1, value('A1', '5', { format: 1 }));
    expect(await sheetText(amount, {}, { formats: ['0.00'], date1904: true })).toBe('5.00');
    const written = row(
      1,
      value('A1', '2024-01-15T12:00:00', { type: 'd', format: 2 }) + value('B1', '2024-02-01', { type: 'd' }),
    );
    expect(await sheetText(written, {}, { formats })).toBe('15. January 2024; 2024-02-01');
  });

  it('show truth, errors and results of formulas; a formula itself only without one', async () => {
    const rows = row(
      1,
      value('A1', '1', { type: 'b' }) +
        value('B1', '#DIV/0!', { type: 'e' }) +
        '<c r="C1"><f>SUM(A2:A3)</f><v>42</v></c><c r="D1" t="str"><f>IF(1,"","x")</f><v></v></c><c r="E1"><f>A1*2</f></c>',
    );
    const parsed = await read(xlsxFile([{ name: 'S', rows }]));
    expect(parsed.text).toBe('# S\n\nTRUE; #DIV/0!; 42; =A1*2');
    expect(messagesOf(parsed)).toEqual([
      'FORMULAS_WITHOUT_VALUES 1 formula was written instead of a result, which is not in the file (sheet "S").',
    ]);
  });

  it('are found without references, too', async () => {
    const rows = '<row><c><v>1</v></c><c><v>2</v></c></row><row><c r="B2"><v>3</v></c><c><v>4</v></c></row>';
    expect(await sheetText(rows)).toBe('|  |  |  |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | 3 | 4 |');
  });
});

describe('sheets', () => {
  it('follow each other in the order of their tabs, each with its name and number', async () => {
    const parsed = await read(
      xlsxFile(
        [
          { name: 'First', rows: cells(1, ['one']) },
          { name: 'Empty', rows: '' },
          { name: 'Hidden &amp; read', rows: cells(1, ['two']), state: 'hidden' },
          { name: 'Chart', rows: '', kind: 'chartsheet' },
          { name: 'Macro', rows: '', kind: 'xlMacrosheet' },
        ],
        { mainType: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml' },
      ),
      'a.xlsm',
    );
    expect(parsed.text).toBe('# First\n\none\n\n# Hidden & read\n\ntwo');
    expect(parsed.blocks.map(({ type, page }) => [type, page])).toEqual([
      ['heading', 1],
      ['paragraph', 1],
      ['pageBreak', 1],
      ['heading', 3],
      ['paragraph', 3],
    ]);
    expect(messagesOf(parsed)).toEqual([
      'EMPTY_SHEETS 1 sheet was without text (sheet "Empty").',
      'HIDDEN_SHEETS 1 hidden sheet was read like the others (sheet "Hidden & read").',
      'CHARTS_LEFT_OUT 1 chart was left out (sheet "Chart").',
      'SHEETS_LEFT_OUT 1 macro or dialog sheet was left out (sheet "Macro").',
    ]);
  });

  it('without any text hold none', async () => {
    await expect(read(xlsxFile([{ name: 'S', rows: '<row r="1"><c r="A1" s="1"/></row>' }]))).rejects.toMatchObject({
      code: 'NO_TEXT',
    });
  });

  it('say which rows, columns and values are hidden', async () => {
    const formats = [';;;'];
    const rows =
      cells(1, ['a', 'b', 'c']) +
      cells(2, [1, 2, 3], { attributes: 'hidden="1"' }) +
      row(3, value('A3', '5', { format: 1 }) + text('B3', 'x'));
    const parsed = await read(
      xlsxFile([{ name: 'S', rows, before: '<cols><col min="2" max="16384" hidden="1"/></cols>' }], { formats }),
    );
    expect(parsed.text).toContain('| 1 | 2 | 3 |');
    expect(messagesOf(parsed)).toEqual([
      'HIDDEN_ROWS 1 hidden row was read like the others (sheet "S").',
      'HIDDEN_LEFT_OUT 1 value that its format hides was left out (sheet "S").',
      'HIDDEN_COLUMNS 2 hidden columns were read like the others (sheet "S").',
    ]);
  });

  it('are read in their strict kind', async () => {
    const strict = asStrict(
      xlsxFile([{ name: 'S', rows: row(1, value('A1', '0', { type: 's' })) }], { strings: ['<t>text</t>'] }),
    );
    expect((await read(strict)).text).toBe('# S\n\ntext');
  });
});
