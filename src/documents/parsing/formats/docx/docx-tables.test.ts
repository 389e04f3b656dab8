import { describe, expect, it } from '@jest/globals';
import {
  cell,
  docxFile,
  item,
  abstractList,
  list,
  para,
  row,
  run,
  style,
  styled,
  table,
} from '../../../../testing/fixtures/docx-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const look = '<w:tblStyle w:val="Fancy"/><w:tblLook w:val="04A0" w:firstRow="1"/>';
const plain = '<w:tblStyle w:val="TableGrid"/><w:tblLook w:val="04A0"/>';
const styles =
  '<w:style w:type="table" w:styleId="Base"><w:name w:val="Base"/><w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>' +
  '<w:style w:type="table" w:styleId="Fancy"><w:name w:val="Fancy"/><w:basedOn w:val="Base"/></w:style>' +
  '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/></w:style>' +
  style('Heading1', 'heading 1');
const numbering = abstractList(0, [['decimal', '%1.']]) + abstractList(1, [['bullet', 'o']]) + list(1, 0) + list(2, 1);

const textOf = async (body: string): Promise<string> =>
  (await readBytes(docxFile(body, { styles, numbering }), { fileName: 'a.docx' })).text;

const cells = (...texts: string[]): string[] => texts.map((text) => cell(text));
const above = '<w:vMerge/>';
const start = '<w:vMerge w:val="restart"/>';

describe('tables of Word documents', () => {
  it('have the header that their rows or the look of their style say', async () => {
    const repeated = table([row(cells('1', '2'), '<w:tblHeader/>'), row(cells('3', '4'))]);
    expect(await textOf(repeated)).toBe('| 1 | 2 |\n| --- | --- |\n| 3 | 4 |');
    const rows = [row(cells('2023', '2024')), row(cells('3', '4'))];
    expect(await textOf(table(rows, look))).toBe('| 2023 | 2024 |\n| --- | --- |\n| 3 | 4 |');
    expect(await textOf(table(rows, plain))).toBe('|  |  |\n| --- | --- |\n| 2023 | 2024 |\n| 3 | 4 |');
  });

  it('fill merged cells', async () => {
    const merged = table([
      row([cell('Name', start), cell('Sales', '<w:gridSpan w:val="2"/>')], '<w:tblHeader/>'),
      row([cell(para(''), above), cell('Q1'), cell('Q2')], '<w:tblHeader/>'),
      row([cell('A', start), cell('1'), cell('2')]),
      row([cell(para(''), above), cell('3', '<w:hMerge w:val="restart"/>'), cell(para(''), '<w:hMerge/>')]),
      row([cell('late')], '<w:gridBefore w:val="2"/>'),
    ]);
    expect(await textOf(merged)).toBe(
      [
        '| Name | Sales / Q1 | Sales / Q2 |',
        '| --- | --- | --- |',
        '| A | 1 | 2 |',
        '| A | 3 | 3 |',
        '|  |  | late |',
      ].join('\n'),
    );
  });

  it('within tables are text of their cell, and so are lists', async () => {
    const inner = table([row(cells('a', 'b')), row(cells('c', 'd|e'))]);
    const outer = table([
      row(cells('Name', 'Value')),
      row([cell('x'), cell(para('before') + inner + para('after'))]),
      row([cell(item('one', 1) + item('two', 1)), cell(item('dot', 2) + item('dot', 2))]),
    ]);
    expect(await textOf(outer)).toBe(
      '| Name | Value |\n| --- | --- |\n| x | before a, b; c, d\\|e after |\n| 1. one; 2. two | dot; dot |',
    );
  });

  it('that are frames stand for what is in them', async () => {
    const frame = table([row([cell(para('Note') + table([row(cells('k', 'v')), row(cells('1', '2'))]))])]);
    expect(await textOf(frame)).toBe('Note\n\n| k | v |\n| --- | --- |\n| 1 | 2 |');
    const columns = table([row([cell(styled('Heading1', 'Left') + para('text')), cell(styled('Heading1', 'Right'))])]);
    expect(await textOf(columns)).toBe('# Left\n\ntext\n\n# Right');
  });

  it('are read in content controls, too', async () => {
    const control = (content: string): string =>
      `<w:sdt><w:sdtPr><w:alias w:val="x"/><w:rPr><w:vanish/></w:rPr></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const rows = control(row([control(cell(control(para(control(run('a')))))), cell('b')])) + row(cells('1', '2'));
    expect(await textOf(control(table([rows])))).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
  });

  it('that are wide become rows with their names', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `n${i}x`);
    const wide = table([row(cells(...names)), row(cells(...names.map((_, i) => (i % 10 === 0 ? `v${i}` : ''))))]);
    expect(await textOf(wide)).toMatch(/^n0x: v0; n10x: v10; n20x: v20\n\nn1x; n2x; /);
  });
});
