import { describe, expect, it } from '@jest/globals';
import {
  cell,
  docxFile,
  para,
  row,
  run,
  style,
  styled,
  table,
  type DocxParts,
} from '../../../../testing/fixtures/docx-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';
import type { ParsedText } from '../../../../domain/text/block.js';

function read(body: string, parts: DocxParts = {}): Promise<ParsedText> {
  return readBytes(docxFile(body, parts), { fileName: 'a.docx' });
}

const textOf = async (body: string, parts: DocxParts = {}): Promise<string> => (await read(body, parts)).text;
const codesOf = ({ warnings }: ParsedText): string[] => warnings.map(({ code }) => code);
const messagesOf = ({ warnings }: ParsedText): string[] => warnings.map(({ message }) => message);

describe('paragraphs of Word documents', () => {
  it('are headings by the names of their styles, by those these build on, and by outline levels', async () => {
    const styles =
      style('Titel', 'Title') +
      style('berschrift1', 'heading 1', { pPr: '<w:outlineLvl w:val="0"/>' }) +
      style('2', 'heading 2') +
      style('Kapitel', 'Unser Kapitel', { basedOn: 'berschrift1' }) +
      style('TOCHeading', 'TOC Heading', { basedOn: 'berschrift1', pPr: '<w:outlineLvl w:val="9"/>' }) +
      style('Rund', 'Rund', { basedOn: 'Rund' });
    const body =
      styled('Titel', 'The title') +
      styled('berschrift1', 'One') +
      styled('2', 'Two') +
      styled('Kapitel', 'Derived') +
      styled('TOCHeading', 'Contents') +
      styled('Rund', 'A circle') +
      styled('Heading3', 'Without a style of that id') +
      para('By outline', '<w:outlineLvl w:val="4"/>') +
      para('Against the style', '<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>') +
      styled('Überschrift 2', 'Another language');
    expect(await textOf(body, { styles })).toBe(
      [
        '# The title',
        '# One',
        '## Two',
        '# Derived',
        'Contents',
        'A circle',
        '### Without a style of that id',
        '##### By outline',
        'Against the style',
        '## Another language',
      ].join('\n\n'),
    );
  });

  it('are quotes, code and captions by their styles, with those that follow each other in one', async () => {
    const styles =
      style('Quote', 'Quote') +
      style('Zitat2', 'Intense Quote') +
      style('HTMLVorformatiert', 'HTML Preformatted') +
      style('Caption', 'caption') +
      style('TOC1', 'toc 1') +
      style('TOC2', 'toc 2');
    const body =
      styled('TOC1', 'First') +
      styled('TOC2', 'Second') +
      styled('Quote', 'said') +
      styled('Zitat2', 'more') +
      styled('HTMLVorformatiert', 'if (x) {') +
      styled('HTMLVorformatiert', '') +
      styled('HTMLVorformatiert', '  y();') +
      para('') +
      styled('HTMLVorformatiert', '}') +
      styled('Caption', 'Table 1');
    const { text, blocks } = await read(body, { styles });
    expect(text).toBe('- First\n  - Second\n\n> said\n>\n> more\n\n```\nif (x) {\n\n  y();\n}\n```\n\nTable 1');
    expect(blocks.map(({ type }) => type)).toEqual(['listItem', 'listItem', 'quote', 'code', 'caption']);
  });

  it('hold tabs, breaks, hyphens and symbols as they are seen', async () => {
    const body = para(
      '<w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>' +
        '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e </w:t>' +
        '<w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Odd" w:char="F0A0"/>' +
        '<w:sym w:font="Segoe UI Symbol" w:char="2610"/></w:r>' +
        run(' \uf062\uf0b3', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'),
    );
    const parsed = await read(body);
    expect(parsed.text).toBe('a\tb\nc-de ✓α\ufffd☐ β≥');
    expect(messagesOf(parsed)).toEqual(['1 character of a symbol font was not known and written as U+FFFD.']);
  });

  it('show the results of fields, not how they are made', async () => {
    const char = (type: string, more = ''): string =>
      `<w:r><w:fldChar w:fldCharType="${type}">${more}</w:fldChar></w:r>`;
    const instruction = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
    const body =
      para(
        run('See ') +
          char('begin') +
          instruction('REF _x \\h') +
          char('separate') +
          run('Table 1') +
          char('end') +
          run(', ') +
          char('begin') +
          instruction('IF ') +
          char('begin') +
          instruction('PAGE') +
          char('separate') +
          run('17') +
          char('end') +
          instruction(' = 1') +
          char('separate') +
          run('yes') +
          char('end') +
          run('.') +
          `<w:fldSimple w:instr="DATE">${run(' Today')}</w:fldSimple>` +
          `<w:hyperlink r:id="rId9">${run(' a link')}</w:hyperlink>`,
      ) +
      para(
        char('begin', '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>') +
          instruction('FORMCHECKBOX') +
          char('end') +
          run(' yes ') +
          char('begin', '<w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData>') +
          char('separate') +
          char('end') +
          run(' no ') +
          char(
            'begin',
            '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData>',
          ) +
          char('end'),
      );
    const links = [{ id: 'rId9', relation: 'hyperlink', target: 'https://example.org/' }];
    const parsed = await read(body, { links });
    expect(parsed.text).toBe('See Table 1, yes. Today a link\n\n☒ yes ☐ no blue');
    expect(parsed.warnings).toEqual([]);
  });

  it('say what a field without an end hides', async () => {
    const body = para(run('a') + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run('hidden'));
    const parsed = await read(body);
    expect(parsed.text).toBe('a');
    expect(messagesOf(parsed)).toEqual(['6 characters of fields without an end were left out.']);
  });

  it('leave hidden text out, and say so', async () => {
    const styles =
      style('Secret', 'Secret', { rPr: '<w:vanish/>' }) +
      '<w:style w:type="character" w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>';
    const body =
      para(run('seen ') + run('unseen', '<w:vanish/>') + run('seen', '<w:vanish w:val="0"/>')) +
      para(
        run('by style', '<w:rStyle w:val="Gone"/>') + run('shown', '<w:rStyle w:val="Gone"/><w:vanish w:val="false"/>'),
      ) +
      styled('Secret', 'whole');
    const parsed = await read(body, { styles });
    expect(parsed.text).toBe('seen seen\n\nshown');
    expect(messagesOf(parsed)).toEqual([
      '3 pieces of hidden text were left out, 19 characters: "unseen by style whole".',
    ]);
  });

  it('hold text with tracked changes as if all were accepted', async () => {
    const body =
      para(
        run('Kept ') +
          `<w:ins w:id="1" w:author="A">${run('added ')}</w:ins>` +
          '<w:del w:id="2" w:author="A"><w:r><w:delText>removed </w:delText></w:r></w:del>' +
          run('text', '<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>'),
      ) +
      para('joined ', '<w:rPr><w:del w:id="3" w:author="A"/></w:rPr>') +
      para('with this', '<w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange>') +
      `<w:p><w:pPr><w:rPr><w:moveFrom w:id="4"/></w:rPr></w:pPr><w:moveFrom w:id="4">${run('moved')}</w:moveFrom></w:p>` +
      para('between') +
      `<w:p><w:moveTo w:id="5">${run('moved')}</w:moveTo></w:p>` +
      table([
        row([cell('a'), cell('b')]),
        row([cell(`<w:p><w:del w:id="6"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`)], '<w:del w:id="7"/>'),
        row([cell('c'), cell('d')]),
      ]) +
      para('the end', '<w:rPr><w:del w:id="8"/></w:rPr>');
    const parsed = await read(body);
    expect(parsed.text).toBe(
      'Kept added text\n\njoined with this\n\nbetween\n\nmoved\n\n| a | b |\n| --- | --- |\n| c | d |\n\nthe end',
    );
    expect(messagesOf(parsed)).toEqual([
      '1 tracked insertion was taken as accepted.',
      '2 tracked deletions were left out, 12 characters: "removed gone".',
    ]);
  });

  it('hold equations on one line', async () => {
    const r = (text: string): string =>
      `<m:r><w:rPr><w:rFonts w:ascii="Cambria Math"/></w:rPr><m:t>${text}</m:t></m:r>`;
    const frac = `<m:f><m:fPr/><m:num>${r('a+b')}</m:num><m:den>${r('2')}</m:den></m:f>`;
    const sup = `<m:sSup><m:e>${r('x')}</m:e><m:sup>${r('2')}</m:sup></m:sSup>`;
    const rad = `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${r('y')}</m:e></m:rad>`;
    const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup><m:e>${r('i')}</m:e></m:nary>`;
    const set = `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=")"/><m:sepChr m:val=","/></m:dPr><m:e>${r('0')}</m:e><m:e>${r('1')}</m:e></m:d>`;
    const matrix = `<m:m><m:mr><m:e>${r('1')}</m:e><m:e>${r('0')}</m:e></m:mr><m:mr><m:e>${r('0')}</m:e><m:e>${r('1')}</m:e></m:mr></m:m>`;
    const body =
      para(`${run('So ')}<m:oMath>${frac}${r('=')}${sup}${r('+')}${rad}</m:oMath>${run('.')}`) +
      para(`<m:oMathPara><m:oMath>${sum}${r('∈')}${set}</m:oMath></m:oMathPara>`) +
      para(`<m:oMath>${matrix}</m:oMath>`);
    expect(await textOf(body)).toBe('So (a+b)/2=x^2+√(y).\n\n∑_(i=1)^n i∈[0,1)\n\n1, 0; 0, 1');
  });

  it('have words that say how to pronounce them in brackets behind', async () => {
    const body = para(
      '<w:r><w:ruby><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby></w:r>',
    );
    expect(await textOf(body)).toBe('東京(とうきょう)');
  });
});

describe('pages of Word documents', () => {
  const broken = para('One') + para('<w:r><w:lastRenderedPageBreak/><w:t>Two</w:t></w:r>') + para('more');

  it('are those that Word noted', async () => {
    const { blocks } = await read(broken, { app: '<Pages>2</Pages><Characters>10</Characters>' });
    expect(blocks.map(({ type, page }) => [type, page])).toEqual([
      ['paragraph', 1],
      ['pageBreak', 1],
      ['paragraph', 2],
      ['paragraph', 2],
    ]);
  });

  it.each([
    ['there are others', '<Pages>3</Pages><Characters>10</Characters>'],
    ['the text was another one', '<Pages>2</Pages><Characters>100</Characters>'],
    ['Word noted none', ''],
  ])('are not told where %s', async (_, app) => {
    const { blocks } = await read(broken, { app });
    expect(blocks.map(({ type, page }) => [type, page])).toEqual(
      Array.from({ length: 3 }, () => ['paragraph', undefined]),
    );
  });
});

describe('what is beside the text of Word documents', () => {
  it('is written where it belongs, or named', async () => {
    const styles = style('Heading1', 'heading 1');
    const reference = (kind: string, id: number): string => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
    const note = (kind: string, id: number, text: string): string =>
      `<w:${kind} w:id="${id}"><w:p><w:r><w:${kind}Ref/></w:r>${run(` ${text}`)}</w:p></w:${kind}>`;
    const separator =
      '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/><w:t>x</w:t></w:r></w:p></w:footnote>';
    const body =
      para(run('First') + reference('footnote', 2) + run(' and second') + reference('footnote', 1)) +
      para(run('At the end') + reference('endnote', 1) + '<w:r><w:commentReference w:id="0"/></w:r>') +
      styled('Heading1', 'Next') +
      para(run('Again') + reference('footnote', 2) + reference('footnote', 9));
    const parsed = await read(body, {
      styles,
      footnotes: separator + note('footnote', 1, 'note one') + note('footnote', 2, 'note two'),
      endnotes: note('endnote', 1, 'last words'),
      comments: '<w:comment w:id="0" w:author="A"><w:p><w:r><w:t>Really?</w:t></w:r></w:p></w:comment>',
      header: para('Company'),
      footer: para(''),
    });
    expect(parsed.text).toBe(
      [
        'First[^1] and second[^2]',
        'At the end[^i]',
        '[^1]: note two',
        '[^2]: note one',
        '# Next',
        'Again[^1]',
        '[^i]: last words',
      ].join('\n\n'),
    );
    expect(messagesOf(parsed)).toEqual([
      '1 comment was left out, 7 characters: "Really?".',
      '1 header or footer was left out, 7 characters: "Company".',
    ]);
  });

  it('is never loaded from elsewhere', async () => {
    const body = para('text') + '<w:altChunk r:id="rId8"/>';
    const links = [
      { id: 'rId7', relation: 'image', target: 'file:///etc/passwd' },
      { id: 'rId8', relation: 'attachedTemplate', target: 'http://127.0.0.1:1/a.dotm' },
    ];
    const parsed = await read(body, { links });
    expect(parsed.text).toBe('text');
    expect(codesOf(parsed)).toEqual(['EMBEDDED_LEFT_OUT', 'EXTERNAL_NOT_LOADED']);
  });
});
