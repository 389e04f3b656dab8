import { describe, expect, it } from '@jest/globals';
import type { ParsedText } from '../../../../domain/text/block.js';
import { asStrict, officeNamespaces, withPart } from '../../../../testing/fixtures/office-file.js';
import {
  frame,
  line,
  pptxFile,
  shape,
  title,
  type PptxParts,
  type PptxSlide,
} from '../../../../testing/fixtures/pptx-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (slides: readonly PptxSlide[], parts: PptxParts = {}): Promise<ParsedText> =>
  readBytes(pptxFile(slides, parts), { fileName: 'a.pptx' });
const slideText = async (shapes: string, parts: PptxParts = {}): Promise<string> =>
  (await read([{ shapes }], parts)).text;
const messagesOf = ({ warnings }: ParsedText): string[] => warnings.map(({ code, message }) => `${code} ${message}`);

const sign = '<a:buChar char="•"/>';
const bodyStyle = [1, 2, 3].map((level) => `<a:lvl${level}pPr>${sign}</a:lvl${level}pPr>`).join('');
const body = (content: string, more: Parameters<typeof shape>[1] = {}): string =>
  shape(content, { ph: 'idx="1"', ...more });

describe('presentations', () => {
  it('follow the order in which their slides are shown, each a page with its title', async () => {
    const slides = [{ shapes: title('Third') }, { shapes: title('First') }, { shapes: title('Second') }];
    const { text, blocks, warnings } = await read(slides, { order: [1, 2, 0] });
    expect(text).toBe('# First\n\n# Second\n\n# Third');
    expect(blocks.map(({ type, page }) => [type, page])).toEqual([
      ['heading', 1],
      ['pageBreak', 1],
      ['heading', 2],
      ['pageBreak', 2],
      ['heading', 3],
    ]);
    expect(warnings).toEqual([]);
  });

  it('keep equal slides', async () => {
    const slide = { shapes: title('Same') + shape('words') };
    expect((await read([slide, slide])).text).toBe('# Same\n\nwords\n\n# Same\n\nwords');
  });

  it('name hidden slides and those without text', async () => {
    const parsed = await read([
      { shapes: title('Seen') },
      { shapes: title('Hidden'), isHidden: true },
      { shapes: '<p:pic><p:nvPicPr><p:cNvPr id="1" name="Picture 1"/></p:nvPicPr></p:pic>' },
      { shapes: shape(''), notes: shape('said', { ph: 'type="body"' }) },
    ]);
    expect(parsed.text).toBe('# Seen\n\n# Hidden\n\n> Notes: said');
    expect(messagesOf(parsed)).toEqual([
      'HIDDEN_SLIDES 1 hidden slide was read like the others (slide 2).',
      'PICTURES_LEFT_OUT 1 picture was left out (slide 3).',
      'PARTIAL 2 slides were without text: blank, or pictures only (slides 3–4).',
    ]);
  });

  it('are read in their strict kind, with macros, and as shows', async () => {
    const strict = asStrict(pptxFile([{ shapes: title('Strict') }]));
    expect((await readBytes(strict, { fileName: 'a.pptx' })).text).toBe('# Strict');
    for (const [fileName, kind] of [
      ['a.pptm', 'presentation.macroEnabled'],
      ['a.ppsx', 'slideshow'],
    ] as const) {
      const mainType = `application/vnd.${kind.includes('macro') ? 'ms-powerpoint' : 'openxmlformats-officedocument.presentationml'}.${kind}.main+xml`;
      const { text, warnings } = await readBytes(pptxFile([{ shapes: title(kind) }], { mainType }), { fileName });
      expect({ text, warnings }).toEqual({ text: `# ${kind}`, warnings: [] });
    }
  });

  it('go on where a slide is missing', async () => {
    const file = withPart(
      pptxFile([{ shapes: title('One') }, { shapes: title('Two') }]),
      'ppt/slides/slide1.xml',
      () => undefined,
    );
    const parsed = await readBytes(file, { fileName: 'a.pptx' });
    expect(parsed.text).toBe('# Two');
    expect(messagesOf(parsed)).toEqual([
      expect.stringContaining('PARTS_MISSING 1 part that it names was not in the file'),
    ]);
  });
});

describe('slides', () => {
  it('have lists with the marks of their own, their layout or their master', async () => {
    const levels =
      line('one') +
      line('deeper', { level: 1 }) +
      line('no mark', { properties: '<a:buNone/>' }) +
      line('first', { properties: '<a:buAutoNum type="arabicPeriod"/>' }) +
      line('second', { properties: '<a:buAutoNum type="arabicPeriod"/>' }) +
      line('inner', { level: 1, properties: '<a:buAutoNum type="alphaLcParenR" startAt="3"/>' }) +
      line('inner', { level: 1, properties: '<a:buAutoNum type="alphaLcParenR" startAt="3"/>' }) +
      line('third', { properties: '<a:buAutoNum type="arabicPeriod"/>' }) +
      line('between', { properties: '<a:buNone/>' }) +
      line('anew', { properties: '<a:buAutoNum type="arabicPeriod"/>' });
    expect(await slideText(title('T') + body(levels), { bodyStyle })).toBe(
      [
        '# T',
        '- one\n  - deeper',
        'no mark',
        '1. first\n2. second\n   - c) inner\n   - d) inner\n3. third',
        'between',
        '1. anew',
      ].join('\n\n'),
    );
    const layout = shape('', { ph: 'type="body" idx="1"', listStyle: '<a:lvl1pPr><a:buNone/></a:lvl1pPr>' });
    expect(await slideText(body(line('text') + line('item', { level: 1 })), { bodyStyle, layout })).toBe(
      'text\n\n- item',
    );
    const own = body(line('text'), { listStyle: '<a:lvl1pPr><a:buNone/></a:lvl1pPr>' });
    expect(await slideText(own, { bodyStyle })).toBe('text');
    expect(await slideText(shape(line('text')), { bodyStyle })).toBe('text');
    expect(await slideText(shape(line('item', { properties: sign })))).toBe('- item');
  });

  it('are read as people read them: the title, the placeholders, and other shapes where they lie', async () => {
    const layout =
      shape('', { ph: 'type="title"', at: [10, 10] }) +
      shape('', { ph: 'idx="1"', at: [10, 100] }) +
      shape('', { ph: 'idx="2"', at: [600, 100] });
    const shapes =
      shape('bottom right', { at: [600, 500] }) +
      shape('bottom left', { at: [10, 505] }) +
      body('left body') +
      shape('right body', { ph: 'idx="2"' }) +
      shape('above the bodies', { at: [300, 60] }) +
      title('Title');
    expect(await slideText(shapes, { layout })).toBe(
      '# Title\n\nabove the bodies\n\nleft body\n\nright body\n\nbottom left\n\nbottom right',
    );
    const group = (inner: string, left: number, top: number): string =>
      `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x="${left * 10_000}" y="${top * 10_000}"/></a:xfrm></p:grpSpPr>${inner}</p:grpSp>`;
    const groups =
      group(shape('d', { at: [0, 900] }) + group(shape('c', { at: [5, 5] }), 0, 0), 0, 300) +
      group(shape('b', { at: [400, 0] }) + shape('a', { at: [0, 0] }), 0, 100);
    expect(await slideText(groups)).toBe('a\n\nb\n\nc\n\nd');
  });

  it('have tables with merged cells and the header that their look says', async () => {
    const cell = (text: string, attributes = ''): string =>
      `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const table = (properties: string): string =>
      frame(
        `<a:tbl><a:tblPr ${properties}/><a:tr>${cell('2023', 'gridSpan="2"')}${cell('', 'hMerge="1"')}${cell('2024')}</a:tr>` +
          `<a:tr>${cell('a', 'rowSpan="2"')}${cell('1')}${cell('2')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('3')}${cell('4')}</a:tr></a:tbl>`,
      );
    const rows = '| a | 1 | 2 |\n| a | 3 | 4 |';
    expect(await slideText(table('firstRow="1" bandRow="1"'))).toBe(
      `| 2023 | 2023 | 2024 |\n| --- | --- | --- |\n${rows}`,
    );
    expect(await slideText(table(''))).toBe(`|  |  |  |\n| --- | --- | --- |\n| 2023 | 2023 | 2024 |\n${rows}`);
  });

  it('hold breaks, fields and equations', async () => {
    const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const equation =
      '<mc:AlternateContent><mc:Choice Requires="a14"><a14:m><m:oMath><m:f><m:num>' +
      `${r('1')}</m:num><m:den>${r('n')}</m:den></m:f></m:oMath></a14:m></mc:Choice><mc:Fallback><a:r><a:t>?</a:t></a:r></mc:Fallback></mc:AlternateContent>`;
    const content = `<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two </a:t></a:r><a:fld id="x" type="slidenum"><a:t>7</a:t></a:fld><a:r><a:t> is </a:t></a:r>${equation}<a:endParaRPr/></a:p>`;
    expect(await slideText(shape(content))).toBe('one\ntwo 7 is 1/n');
  });

  it('leave out what stands on each of them, and comments, by name', async () => {
    const comments = {
      name: 'ppt/comments/comment1.xml',
      relation: 'comments',
      xml: `<p:cmLst ${officeNamespaces}><p:cm authorId="0"><p:text>Old one</p:text></p:cm></p:cmLst>`,
    };
    const modern = {
      name: 'ppt/comments/modern1.xml',
      relation: 'http://schemas.microsoft.com/office/2018/10/relationships/comments',
      xml:
        `<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" ${officeNamespaces}><p188:cm><p188:replyLst><p188:reply><p188:txBody>${line('Answer')}</p188:txBody></p188:reply></p188:replyLst>` +
        `<p188:txBody>${line('New one')}</p188:txBody></p188:cm></p188:cmLst>`,
    };
    const shapes =
      title('T') +
      shape('1 May', { ph: 'type="dt" idx="10"' }) +
      shape('Company', { ph: 'type="ftr" idx="11"' }) +
      shape('3', { ph: 'type="sldNum" idx="12"' });
    const notes =
      shape('', { ph: 'type="sldImg"' }) +
      shape(line('Speak') + line('slowly'), { ph: 'type="body" idx="1"' }) +
      shape('5', { ph: 'type="sldNum"' });
    const parsed = await read([{ shapes, notes, parts: [comments, modern] }]);
    expect(parsed.text).toBe('# T\n\n> Notes: Speak\n> slowly');
    expect(messagesOf(parsed)).toEqual([
      'HEADERS_LEFT_OUT 2 headers and footers were left out (slide 1), 12 characters: "1 May Company".',
      'COMMENTS_LEFT_OUT 3 comments were left out (slide 1), 20 characters: "Old one Answer New one".',
    ]);
  });
});
