import { describe, expect, it } from '@jest/globals';
import type { ParsedText } from '../../../../domain/text/block.js';
import type { Fixture } from '../../../../testing/fixtures/fixture.js';
import * as laidOut from '../../../../testing/fixtures/pdf/laid-out-pdfs.js';
import { report } from '../../../../testing/fixtures/pdf/pdfkit-pdfs.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = ({ bytes, fileName }: Fixture): Promise<ParsedText> => readBytes(bytes, { fileName });
const textOf = async (fixture: Fixture): Promise<string> => (await read(fixture)).text;

describe('readPdf', () => {
  it('reads columns one after the other, and what runs over them before and after', async () => {
    expect(await textOf(laidOut.twoColumns)).toBe(
      [
        '# On reading in columns',
        'A summary runs over both columns, as wide as the page, and it comes before either of them is read.',
        'Every document that people really have is laid out in some way, and many of them run in two columns. Who reads them line by line gets sentences that nobody has written, because each line goes on in the next column. The gutter between them is what tells them apart.',
        'Here begins the second column, which is read after the first one has ended. It has as many lines as the other one, and each of them stands beside one of its lines, so that only the white space between the two of them says where to stop.',
        'After the columns another text runs over the whole width of the page until it reaches its end.',
      ].join('\n\n'),
    );
  });

  it('reads columns that were painted line by line across both', async () => {
    const [left, right] = (await textOf(laidOut.columnsPaintedAcross)).split('\n\n');
    expect(left).toMatch(/^Every document .* tells them apart\.$/);
    expect(right).toMatch(/^Here begins .* where to stop\.$/);
  });

  it('writes tables with lines, merged cells and without lines', async () => {
    const { text, blocks } = await read(laidOut.tables);
    expect(text).toBe(
      [
        'Table 1. Ports',
        '| Service | Use | Port |\n| --- | --- | --- |\n| Broker | inside | 9092 |\n| Broker | outside | 19092 |',
        'The months of a year, without any lines between them:',
        '| Month | Rain | Sun |\n| --- | --- | --- |\n| January | 61 | 48.5 |\n| February | 49 | 77.0 |\n| March | 53 | 121.4 |',
      ].join('\n\n'),
    );
    expect(blocks.map(({ type }) => type)).toEqual(['caption', 'table', 'paragraph', 'table']);
  });

  it('leaves out running heads and page numbers, and says so', async () => {
    const { text, blocks, warnings } = await read(laidOut.runningHeads);
    expect(text).toMatch(/^# Chapter 1\n\nOn page 1 stands .*\n\n# Chapter 2\n\n/);
    expect(text).not.toMatch(/Annual report|- \d -/);
    expect(warnings).toEqual([
      {
        code: 'RUNNING_HEADS',
        message: expect.stringMatching(
          /^8 running heads and page numbers were left out \(pages 1–4\).*"Annual report of the harbour - 1 - /,
        ),
      },
    ]);
    expect(blocks.map(({ type, page }) => `${type} ${page}`).slice(0, 4)).toEqual([
      'heading 1',
      'paragraph 1',
      'pageBreak 1',
      'heading 2',
    ]);
  });

  it('mends words that lines part, and keeps hyphens that belong to them', async () => {
    expect(await textOf(laidOut.hyphens)).toBe(
      'The harbour was enlarged and the enlargement took years. It is a well-known place; who lives there is well-known as well. Ships of the Anglo-Saxon fleet came from 2010-2015 on, and nobody knew why.',
    );
  });

  it('writes lists with their levels', async () => {
    expect(await textOf(laidOut.lists)).toBe(
      [
        'What a harbour needs, in the order in which it was built by those who live there:',
        '- a pier that ships can be moored to in every wind that blows and that is lit at night\n  - of wood\n  - of stone\n- a crane',
        'And then:',
        '1. the ships\n2. the people',
      ].join('\n\n'),
    );
  });

  it('tells notes from text and references from powers', async () => {
    const { text, blocks } = await read(laidOut.footnotes);
    expect(text).toBe(
      'The pier was built long ago by those who lived there.[^1] It is one of 10^3 piers on this coast, and the longest.\n\n[^1]: In the old harbour book, page 12.',
    );
    expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'footnote']);
  });

  it('keeps code as it stands', async () => {
    expect(await textOf(laidOut.code)).toContain('\n\n```\nif ready; then\n    start --now   # at once\nfi\n```\n\n');
  });

  it('reads text in any direction, the upright one first', async () => {
    expect(await textOf(laidOut.rotated)).toBe(
      [
        'The text of the page itself is upright and comes first when it is read.',
        'stamped up the side',
        'A page that lies on its side in the file, but not for those who read it.',
        'A wide page that is printed on a tall one, and that nobody has turned.',
      ].join('\n\n'),
    );
  });

  it('reads what is seen, once: not shadows, hidden layers or what is marked as no content; forms as filled in', async () => {
    const { text, warnings } = await read(laidOut.tricks);
    expect(text).toBe(
      [
        'Painted twice to look bold, but written once in the text of this page.',
        'SET APART',
        'PIERS',
        'Name of the master: Ada',
      ].join('\n\n'),
    );
    expect(warnings.map(({ code }) => code)).toEqual(['LAYERS_HIDDEN', 'RUNNING_HEADS']);
  });

  it('reads what pdfkit writes: headings as the outline has them, justified text over pages, drawn bullets', async () => {
    const { text, blocks, warnings } = await read(report);
    const paragraph =
      'A harbour is a place where ships may shelter from the weather, be loaded and unloaded, and wait for the tide that takes them out again. Its piers are built of wood or of stone, and who walks on them in the evening sees the lights of those who come home. Nobody knows when the first of them was laid, but the oldest book of the town speaks of it as if it had always been there.';
    expect(text).toBe(
      [
        '# The harbour',
        '## Piers',
        ...Array.from({ length: 16 }, () => paragraph),
        '# The town',
        paragraph.split('. ')[0] + '.',
        '- its houses\n  - old ones\n  - new ones\n- its people',
      ].join('\n\n'),
    );
    expect(new Set(blocks.map(({ page }) => page))).toEqual(new Set([1, 2]));
    expect(warnings).toEqual([]);
  });
});
