import { describe, expect, it } from '@jest/globals';
import { docxFile, para, run, type DocxParts } from '../../../../testing/fixtures/docx-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (body: string, parts: DocxParts = {}): ReturnType<typeof readBytes> =>
  readBytes(docxFile(body, parts), { fileName: 'a.docx' });

const picture = (properties: string): string =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" ${properties}</wp:docPr>` +
  '<a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId5"/></pic:blipFill></pic:pic></a:graphicData></a:graphic>' +
  '</wp:inline></w:drawing></w:r>';

/** As Word writes a text box: once for itself and once for older programs. */
const textBox = (content: string): string =>
  '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wp:docPr id="2" name="Text Box 2" descr="A box"/>' +
  `<a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic>` +
  '</wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>' +
  `<w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;

describe('drawings of Word documents', () => {
  it('are counted, and described where their author did', async () => {
    const body =
      para(run('See ') + picture('descr="A chart of sales">') + run('.')) +
      para(picture('descr="line"><a:extLst><a:ext><adec:decorative val="1"/></a:ext></a:extLst>')) +
      para('<w:r><w:pict><v:shape alt="Old picture"><v:imagedata r:id="rId6"/></v:shape></w:pict></w:r>') +
      para(
        '<w:r><w:object><v:shape><v:imagedata r:id="rId6"/></v:shape><o:OLEObject ProgID="Excel.Sheet.12" r:id="rId7"/></w:object></w:r>',
      ) +
      para(
        '<w:r><w:drawing><wp:inline><wp:docPr id="3" name="Chart 3"/><c:chart r:id="rId8"/></wp:inline></w:drawing></w:r>',
      ) +
      para('<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>');
    const { text, warnings } = await read(body);
    expect(text).toBe('See [A chart of sales].\n\n[Old picture]\n\nDRAFT');
    expect(warnings.map(({ message }) => message)).toEqual([
      '3 pictures were left out.',
      '1 embedded file was left out.',
      '1 chart was left out.',
    ]);
  });

  it('do no harm where a picture is blank or missing', async () => {
    const image = { name: 'word/media/image1.png', id: 'rId5', relation: 'image', xml: new Uint8Array(0) };
    const { text } = await read(para('text') + para(picture('>')), { others: [image] });
    expect(text).toBe('text');
    expect((await read(para('text') + para(picture('>')))).text).toBe('text');
  });

  it('give the text of boxes once, behind the paragraph that they are fixed to', async () => {
    const body =
      para(
        run('Before ') +
          textBox(para('In the box') + para(`${run('second')}${textBox(para('box in a box'))}`)) +
          run('after'),
      ) + para('Next');
    const { text, warnings } = await read(body);
    expect(text).toBe('Before after\n\nIn the box\n\nsecond\n\nbox in a box\n\nNext');
    expect(warnings).toEqual([]);
  });

  it('are left out where they were deleted', async () => {
    const body = para(run('text') + `<w:del w:id="1">${textBox(para('gone'))}${picture('descr="gone">')}</w:del>`);
    const { text, warnings } = await read(body);
    expect(text).toBe('text');
    expect(warnings.map(({ code }) => code)).toEqual(['DELETIONS_LEFT_OUT']);
  });

  it('are taken from the branch that is understood', async () => {
    const choice = (requires: string, text: string): string =>
      `<mc:Choice Requires="${requires}">${run(text)}</mc:Choice>`;
    const body = para(
      `<mc:AlternateContent>${choice('future', 'new')}${choice('w14', 'known')}${choice('wps', 'also known')}` +
        `<mc:Fallback>${run('old')}</mc:Fallback></mc:AlternateContent>` +
        `<mc:AlternateContent>${choice('future', 'new')}<mc:Fallback>${run(' old')}</mc:Fallback></mc:AlternateContent>`,
    );
    expect((await read(body)).text).toBe('known old');
  });
});
