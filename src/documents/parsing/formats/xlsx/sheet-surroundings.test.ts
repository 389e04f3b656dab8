import { describe, expect, it } from '@jest/globals';
import { cells, xlsxFile, type XlsxSheet } from '../../../../testing/fixtures/xlsx-file.js';
import { officeNamespaces, withPart, type OfficePart } from '../../../../testing/fixtures/office-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const schema = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const paragraph = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (...lines: string[]): string =>
  `<xdr:sp><xdr:txBody><a:bodyPr/>${lines.map(paragraph).join('')}</xdr:txBody></xdr:sp>`;

async function read(
  parts: readonly OfficePart[],
  sheet: Partial<XlsxSheet> = {},
): Promise<{ text: string; said: string[] }> {
  const bytes = xlsxFile([{ name: 'S', rows: cells(1, ['text']), parts, ...sheet }]);
  const { text, warnings } = await readBytes(bytes, { fileName: 'a.xlsx' });
  return { text: text.replace('# S\n\n', ''), said: warnings.map(({ message }) => message) };
}

describe('what is beside the cells of a sheet', () => {
  it('is counted where it is a comment, once for each', async () => {
    const comments: OfficePart = {
      name: 'xl/comments1.xml',
      relation: 'comments',
      xml: `<comments ${schema}><commentList><comment ref="A1"><text><r><t>Anna: </t></r><r><t>why?</t></r></text></comment></commentList></comments>`,
    };
    expect((await read([comments])).said).toEqual(['1 comment was left out (sheet "S"), 10 characters: "Anna: why?".']);
    const threads: OfficePart = {
      name: 'xl/threadedComments/threadedComment1.xml',
      relation: 'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment',
      xml: '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="A1"><text>Why?</text></threadedComment><threadedComment ref="A1"><text>So.</text></threadedComment></ThreadedComments>',
    };
    expect((await read([comments, threads])).said).toEqual([
      '2 comments were left out (sheet "S"), 7 characters: "Why? So.".',
    ]);
  });

  it('is read where it is the text of a shape, and counted where it is a picture, a chart or a file', async () => {
    const drawing: OfficePart = {
      name: 'xl/drawings/drawing1.xml',
      relation: 'drawing',
      xml:
        `<xdr:wsDr ${officeNamespaces}><xdr:twoCellAnchor>${shape('A box', 'of two lines')}</xdr:twoCellAnchor>` +
        '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Picture 1" descr="The factory"/></xdr:nvPicPr></xdr:pic>' +
        '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="3" name="Picture 2" descr="Picture 2"/></xdr:nvPicPr></xdr:pic>' +
        '<xdr:graphicFrame><c:chart r:id="rId1"/></xdr:graphicFrame>' +
        '<xdr:graphicFrame><dgm:relIds r:dm="rId9"/></xdr:graphicFrame></xdr:wsDr>',
    };
    const point = (id: string, text: string, type = 'node'): string =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${paragraph(text)}</dgm:t></dgm:pt>`;
    const link = (from: string, to: string, order: number): string =>
      `<dgm:cxn modelId="c${from}${to}" srcId="${from}" destId="${to}" srcOrd="${order}" destOrd="0"/>`;
    const diagram: OfficePart = {
      name: 'xl/diagrams/data1.xml',
      owner: 'xl/drawings/drawing1.xml',
      relation: 'diagramData',
      id: 'rId9',
      xml:
        `<dgm:dataModel ${officeNamespaces}><dgm:ptLst>${point('0', '', 'doc')}${point('2', 'second')}${point('1', 'first')}${point('3', 'inner')}` +
        `${point('p', 'shown again', 'pres')}${point('4', 'loose')}</dgm:ptLst><dgm:cxnLst>${link('0', '2', 1)}${link('0', '1', 0)}${link('1', '3', 0)}${link('3', '0', 0)}</dgm:cxnLst></dgm:dataModel>`,
    };
    const file: OfficePart = { name: 'xl/embeddings/a.bin', relation: 'oleObject', xml: 'x' };
    const { text, said } = await read([drawing, diagram, file]);
    expect(text).toBe('text\n\nA box\nof two lines\n\n[The factory]\n\n- first\n  - inner\n- second\n- loose');
    expect(said).toEqual([
      '1 embedded file was left out (sheet "S").',
      '2 pictures were left out (sheet "S").',
      '1 chart was left out (sheet "S").',
    ]);
  });

  it('is named where it is printed on every page', async () => {
    const after =
      '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Company&amp;C&amp;P of &amp;N&amp;R&amp;KFF0000secret</oddHeader><oddFooter>&amp;P</oddFooter></headerFooter>';
    const { said } = await read([], { after });
    expect(said).toEqual([
      expect.stringMatching(/^1 header or footer was left out \(sheet "S"\), .*"Company of secret"\.$/),
    ]);
  });

  it('is named where the file lacks it', async () => {
    const drawing: OfficePart = { name: 'xl/drawings/drawing1.xml', relation: 'drawing', xml: '<a/>' };
    const whole = xlsxFile([{ name: 'S', rows: cells(1, ['text']), parts: [drawing] }]);
    const { text, warnings } = await readBytes(
      withPart(whole, drawing.name, () => undefined),
      { fileName: 'a.xlsx' },
    );
    expect(text).toBe('# S\n\ntext');
    expect(warnings.map(({ message }) => message)).toEqual([
      '1 part that it names was not in the file, 24 characters: "xl/drawings/drawing1.xml".',
    ]);
  });
});
