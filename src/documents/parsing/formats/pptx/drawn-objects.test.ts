import { describe, expect, it } from '@jest/globals';
import { docxFile, para, run } from '../../../../testing/fixtures/docx-file.js';
import { officeNamespaces, type OfficePart } from '../../../../testing/fixtures/office-file.js';
import { frame, line, pptxFile } from '../../../../testing/fixtures/pptx-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const points = (values: readonly (string | number)[]): string =>
  values.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join('');
const series = (name: string, values: readonly number[], categories: string): string =>
  `<c:ser><c:tx><c:strRef><c:f>x</c:f><c:strCache>${points([name])}</c:strCache></c:strRef></c:tx><c:cat>${categories}</c:cat>` +
  `<c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`;
const levels = `<c:multiLvlStrRef><c:multiLvlStrCache><c:lvl>${points(['Q1', 'Q2', 'Q1'])}</c:lvl><c:lvl><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="2"><c:v>2024</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>`;

function chartPart(content: string): OfficePart {
  const heading = `<c:title><c:tx><c:rich>${line('Growth')}</c:rich></c:tx></c:title>`;
  const xml = `<c:chartSpace ${officeNamespaces}><c:chart>${heading}<c:plotArea><c:barChart>${content}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;
  return { name: 'ppt/charts/chart1.xml', id: 'rId7', relation: 'chart', xml };
}

const diagram: OfficePart = {
  name: 'ppt/diagrams/data1.xml',
  id: 'rId8',
  relation: 'diagramData',
  xml:
    `<dgm:dataModel ${officeNamespaces}><dgm:ptLst><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><dgm:t>${line('Plan')}</dgm:t></dgm:pt>` +
    `<dgm:pt modelId="2"><dgm:t>${line('Do')}</dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="1" destId="2" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>`,
};

const chart = '<c:chart r:id="rId7"/>';
const smartArt = '<dgm:relIds r:dm="rId8" r:lo="rId9"/>';
const table =
  'Growth\n\n|  | North | South |\n| --- | --- | --- |\n| 2023 / Q1 | 10.0% | 1.0% |\n| 2023 / Q2 | 20.0% | 2.0% |\n| 2024 / Q1 | 30.0% |  |';
const whole = chartPart(series('North', [0.1, 0.2, 0.3], levels) + series('South', [0.01, 0.02], levels));

describe('charts and diagrams', () => {
  it('of slides are read as tables and lists', async () => {
    const shapes = frame(chart) + frame(smartArt, { at: [0, 500] });
    const { text, warnings } = await readBytes(pptxFile([{ shapes, parts: [whole, diagram] }]), { fileName: 'a.pptx' });
    expect(text).toBe(`${table}\n\n- Plan\n  - Do`);
    expect(warnings).toEqual([]);
  });

  it('of Word documents follow the paragraph that they are fixed to', async () => {
    const drawing = (content: string): string =>
      `<w:r><w:drawing><wp:inline><wp:docPr id="3" name="Chart 3"/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
    const body = para(run('See') + drawing(chart) + drawing(smartArt)) + para('Next');
    const { text, warnings } = await readBytes(docxFile(body, { others: [whole, diagram] }), { fileName: 'a.docx' });
    expect(text).toBe(`See\n\n${table}\n\n- Plan\n  - Do\n\nNext`);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['without values', chartPart('')],
    [
      'with too many',
      chartPart(
        series(
          'A',
          Array.from({ length: 600 }, (_, i) => i),
          levels,
        ),
      ),
    ],
  ])('are named where they are %s', async (_, part) => {
    const { text, warnings } = await readBytes(
      pptxFile([{ shapes: frame(chart, { descr: 'It grows' }), parts: [part] }]),
      { fileName: 'a.pptx' },
    );
    expect(text).toBe('[It grows]');
    expect(warnings.map(({ message }) => message)).toEqual(['1 chart was left out (slide 1).']);
  });
});
