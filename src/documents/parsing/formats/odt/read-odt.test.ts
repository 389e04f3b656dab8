import { describe, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import type { ParsedText } from '../../../../domain/text/block.js';
import { madeFlatOdt, madeOdt, type MadeOdt } from '../../../../testing/fixtures/odt-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (made: MadeOdt): Promise<ParsedText> => readBytes(madeOdt(made), { fileName: 'a.odt' });
const textOf = async (body: string, more: Partial<MadeOdt> = {}): Promise<string> =>
  (await read({ body, ...more })).text;
const warningsOf = async (made: MadeOdt): Promise<string[]> =>
  (await read(made)).warnings.map(({ code, message }) => `${code} ${message}`);
const p = (text: string, style?: string): string =>
  `<text:p${style ? ` text:style-name="${style}"` : ''}>${text}</text:p>`;
const style = (name: string, inside: string, more = 'style:family="paragraph"'): string =>
  `<style:style style:name="${name}" ${more}>${inside}</style:style>`;

describe('text', () => {
  it('has headings by their level, and paragraphs as they are shown', async () => {
    const parsed = await read({
      body:
        `<text:sequence-decls/><text:h text:outline-level="2">Two</text:h>${p('A  line\n of <text:span>text</text:span> <text:s text:c="2"/>x<text:tab/>y<text:line-break/>z')}${p('')}` +
        `<text:h text:outline-level="8">Deep</text:h>${p('The title', 'Title')}`,
    });
    expect(parsed.text).toBe('## Two\n\nA line of text   x\ty\nz\n\n###### Deep\n\n# The title');
    expect(parsed).toMatchObject({ mediaType: 'application/vnd.oasis.opendocument.text', warnings: [] });
    expect(parsed.blocks.every(({ page }) => page === undefined)).toBe(true);
  });

  it('has quotes, code and captions by the styles that its own build on', async () => {
    const automatic = [
      style('P1', '', 'style:family="paragraph" style:parent-style-name="Quotations"'),
      style('P2', '', 'style:family="paragraph" style:parent-style-name="Preformatted_20_Text"'),
      style('P3', '', 'style:family="paragraph" style:parent-style-name="P4"'),
      style('P4', '', 'style:family="paragraph" style:parent-style-name="P3"'),
    ].join('');
    const styles = `<office:styles>${style('Table', '', 'style:family="paragraph" style:parent-style-name="Caption"')}</office:styles>`;
    expect(
      await textOf(
        p('said', 'P1') + p('a {', 'P2') + p('', 'P2') + p('<text:s/>}', 'P2') + p('Table 1', 'Table') + p('x', 'P3'),
        {
          automatic,
          styles,
        },
      ),
    ).toBe('> said\n\n```\na {\n\n }\n```\n\nTable 1\n\nx');
  });

  it('has numbers of headings, counted as the document does', async () => {
    const outline = (level: number, more: string): string =>
      `<text:outline-level-style text:level="${level}" ${more}/>`;
    const styles = `<office:styles><text:outline-style>${outline(1, 'style:num-format="I" style:num-suffix="."')}${outline(2, 'style:num-format="1" text:display-levels="2"')}${outline(3, 'style:num-format=""')}</text:outline-style></office:styles>`;
    const h = (level: number, text: string, more = ''): string =>
      `<text:h text:outline-level="${level}"${more}>${text}</text:h>`;
    expect(
      await textOf(
        h(1, 'a') +
          h(2, 'b') +
          h(2, 'c') +
          h(3, 'd') +
          h(1, 'e') +
          h(2, 'f') +
          h(1, 'g', ' text:is-list-header="true"') +
          h(2, 'h', ' text:restart-numbering="true" text:start-value="9"'),
        { styles },
      ),
    ).toBe('# I. a\n\n## I.1 b\n\n## I.2 c\n\n### d\n\n# II. e\n\n## II.1 f\n\n# g\n\n## II.9 h');
    expect(await textOf(h(1, '<text:number>3.1</text:number>Kept'))).toBe('# 3.1 Kept');
  });

  it('has notes behind the section that mentions them, or at the end', async () => {
    const note = (kind: string, label: string, text: string): string =>
      `<text:note text:note-class="${kind}"><text:note-citation>${label}</text:note-citation><text:note-body>${p(text)}</text:note-body></text:note>`;
    expect(
      await textOf(
        `${p(`One${note('footnote', '1', 'first')} two${note('endnote', 'i', 'last')}.`)}<text:h text:outline-level="1">Next</text:h>${p('x')}`,
      ),
    ).toBe('One[^1] two[^i].\n\n[^1]: first\n\n# Next\n\nx\n\n[^i]: last');
  });

  it('has tables of contents as lists, and ruby in brackets', async () => {
    expect(
      await textOf(
        `<text:table-of-content><text:table-of-content-source><text:index-title-template>Template</text:index-title-template></text:table-of-content-source><text:index-body>${p('One<text:tab/>1', 'Contents_20_1')}${p('Two', 'Contents_20_2')}</text:index-body></text:table-of-content>${p('<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>')}`,
      ),
    ).toBe('- One\t1\n  - Two\n\n漢(kan)');
  });
});

describe('lists', () => {
  const number = (level: number, format: string, more = ''): string =>
    `<text:list-level-style-number text:level="${level}" style:num-format="${format}" ${more}/>`;
  const list = (items: string, more = ''): string => `<text:list${more}>${items}</text:list>`;
  const item = (inside: string, more = ''): string => `<text:list-item${more}>${inside}</text:list-item>`;
  const automatic =
    `<text:list-style style:name="N">${number(1, '1', 'style:num-suffix="."')}${number(2, 'a', 'style:num-prefix="(" style:num-suffix=")"')}${number(3, '1', 'text:display-levels="3"')}</text:list-style>` +
    `<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>` +
    `<text:list-style style:name="C">${number(1, '一, 二, 三, ...', 'style:num-suffix="、" text:start-value="3"')}</text:list-style>`;

  it('have their depth, numbers and letters', async () => {
    expect(
      await textOf(
        list(
          item(p('one') + p('more') + list(item(p('two') + list(item(p('three')))) + item(p('four')))) +
            item(p('five')),
          ' text:style-name="N"',
        ) +
          list(item(p('six')), ' text:style-name="B"') +
          list(item(p('seven')), ' text:style-name="C"'),
        { automatic },
      ),
    ).toBe('1. one\n   more\n   - (a) two\n     - 1.a.1 three\n   - (b) four\n2. five\n- six\n- 三、 seven');
  });

  it('go on after what interrupts them, and start where they are told', async () => {
    const style = ' text:style-name="N"';
    expect(
      await textOf(
        `${list(item(p('a')), `${style} xml:id="l1"`)}${p('text')}${list(item(p('b')), `${style} text:continue-numbering="true"`)}` +
          `${p('text')}${list(item(p('c')), style)}${p('text')}${list(item(p('d')), `${style} text:continue-list="l1"`)}` +
          `${p('text')}${list(`<text:list-header>${p('head')}</text:list-header>${item(p('e'), ' text:start-value="7"')}${item(p('f'))}`, style)}`,
        { automatic },
      ),
    ).toBe('1. a\n\ntext\n\n2. b\n\ntext\n\n1. c\n\ntext\n\n3. d\n\ntext\n\n- head\n7. e\n8. f');
  });

  it('count no items that only hold deeper ones, and hold headings', async () => {
    expect(
      await textOf(
        list(
          item(list(item(p('x')) + item(p('y')))) + item(p('z')) + item('<text:h text:outline-level="1">Head</text:h>'),
          ' text:style-name="N"',
        ),
        { automatic },
      ),
    ).toBe('- (a) x\n- (b) y\n1. z\n\n# 2. Head');
  });
});

describe('tables', () => {
  const cell = (text: string, more = ''): string =>
    `<table:table-cell${more}>${text === '' ? '' : p(text)}</table:table-cell>`;
  const row = (cells: string, more = ''): string => `<table:table-row${more}>${cells}</table:table-row>`;
  const table = (rows: string): string =>
    `<table:table><table:table-column table:number-columns-repeated="9999"/>${rows}</table:table>`;

  it('have headers and merged cells', async () => {
    expect(
      await textOf(
        table(
          `<table:table-header-rows>${row(cell('a') + cell('b') + cell('c'))}</table:table-header-rows>` +
            row(
              `${cell('x', ' table:number-columns-spanned="2" table:number-rows-spanned="2"')}<table:covered-table-cell/>${cell('1')}`,
            ) +
            row(
              `<table:covered-table-cell table:number-columns-repeated="2">${p('covered')}</table:covered-table-cell>${cell('2')}`,
            ),
        ),
      ),
    ).toBe('| a | b | c |\n| --- | --- | --- |\n| x | x | 1 |\n| x | x | 2 |');
  });

  it('have the header that their first row is set as', async () => {
    const name = (text: string): string => `<table:table-cell>${p(text, 'Table_20_Heading')}</table:table-cell>`;
    expect(await textOf(table(row(name('2023') + name('2024')) + row(cell('1') + cell('2'))))).toBe(
      '| 2023 | 2024 |\n| --- | --- |\n| 1 | 2 |',
    );
  });

  it('do not grow with rows and cells that are repeated without end', async () => {
    const many = ' table:number-rows-repeated="1000000"';
    const wide = ' table:number-columns-repeated="16384"';
    const text = await textOf(
      table(
        row(cell('a') + cell('b') + cell('', wide)) +
          row(cell('', wide), many) +
          row(cell('x') + cell('y'), many) +
          row(cell('z', wide)),
      ),
    );
    expect(text.length).toBeLessThan(20_000);
    expect(text.split('Column 1: x; Column 2: y')).toHaveLength(101);
  });

  it('within cells are text of them, with lists and headings of their own', async () => {
    const inner = table(row(cell('1') + cell('2')) + row(cell('3') + cell('4')));
    const listed = `<text:list><text:list-item>${p('x')}</text:list-item><text:list-item>${p('y')}</text:list-item></text:list>`;
    expect(
      await textOf(
        table(
          row(cell('a') + cell('b')) +
            row(`<table:table-cell>${inner}</table:table-cell><table:table-cell>${listed}</table:table-cell>`),
        ),
      ),
    ).toBe('| a | b |\n| --- | --- |\n| 1, 2; 3, 4 | x; y |');
  });

  it('that are frames around something are what is in them', async () => {
    expect(await textOf(table(row(cell('only'))))).toBe('only');
    const deep = '<table:table><table:table-row><table:table-cell>'.repeat(60);
    const ends = '</table:table-cell></table:table-row></table:table>'.repeat(60);
    expect(await textOf(`${deep}${p('deep')}${ends}`)).toBe('deep');
    const nested = (level: number): string =>
      level > 11 ? '' : table(row(`${cell(`t${level}`)}<table:table-cell>${nested(level + 1)}</table:table-cell>`));
    expect(await textOf(nested(1))).toContain('t7, t8, t9 t10 t11 |');
  });
});

describe('what is left out', () => {
  it('is listed: comments, deletions, hidden text, pictures, objects, headers', async () => {
    const made: MadeOdt = {
      styles: `<office:master-styles><style:master-page><style:header>${p('Head')}</style:header><style:footer>${p('')}</style:footer></style:master-page></office:master-styles>`,
      automatic:
        style('T1', '<style:text-properties text:display="none"/>', 'style:family="text"') +
        style('T2', '<style:text-properties text:display="true"/>', 'style:family="text"') +
        style('P1', '<style:text-properties text:display="none"/>'),
      body:
        `<text:tracked-changes><text:changed-region><text:insertion><office:change-info><dc:creator>Li</dc:creator></office:change-info></text:insertion></text:changed-region>` +
        `<text:changed-region><text:deletion><office:change-info><dc:creator>Li</dc:creator><dc:date>2024</dc:date></office:change-info>${p('gone')}${p('too')}</text:deletion></text:changed-region></text:tracked-changes>` +
        p(
          'a<text:span text:style-name="T1">b<text:span text:style-name="T2">c</text:span></text:span>d<office:annotation><dc:creator>Li</dc:creator><text:p>why?</text:p></office:annotation>',
        ) +
        p('secret <text:span text:style-name="T2">shown</text:span>', 'P1') +
        p('<text:hidden-paragraph text:is-hidden="true"/>nobody') +
        `<text:section text:display="none">${p('part')}</text:section>` +
        p(
          '<draw:frame><draw:image xlink:href="a.png"><office:binary-data>AAAA</office:binary-data></draw:image><svg:desc>A cup of tea</svg:desc></draw:frame><draw:frame><draw:object xlink:href="./Object 2"/><draw:image/></draw:frame>',
        ),
    };
    expect((await read(made)).text).toBe('acd\n\nshown\n\n[A cup of tea]');
    expect(await warningsOf(made)).toEqual([
      'HEADERS_LEFT_OUT 1 header or footer was left out, 4 characters: "Head".',
      'CHANGES_ACCEPTED 1 tracked insertion was taken as accepted.',
      'DELETIONS_LEFT_OUT 1 tracked deletion was left out, 8 characters: "gone too".',
      'HIDDEN_LEFT_OUT 4 pieces of hidden text were left out, 18 characters: "b secret nobody part".',
      'COMMENTS_LEFT_OUT 1 comment was left out, 4 characters: "why?".',
      'PICTURES_LEFT_OUT 1 picture was left out.',
      'EMBEDDED_LEFT_OUT 1 embedded file was left out.',
    ]);
  });

  it('is not the text of boxes and shapes, which follows its paragraph, nor formulas', async () => {
    const math =
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>a</mi><annotation encoding="StarMath 5.0">{a} over b</annotation></semantics></math>';
    const made: MadeOdt = {
      body: `<draw:frame><draw:text-box>${p('on the page')}</draw:text-box></draw:frame>${p(`See <draw:frame><draw:text-box>${p('box')}</draw:text-box></draw:frame><draw:g><draw:custom-shape>${p('shape')}</draw:custom-shape></draw:g>it: <draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>.`)}`,
      parts: { 'Object 1/content.xml': strToU8(math), 'Object 9/content.xml': strToU8('<broken') },
    };
    expect((await read(made)).text).toBe('on the page\n\nSee it: {a} over b.\n\nbox\n\nshape');
    expect(await warningsOf(made)).toEqual([]);
  });
});

describe('files', () => {
  const made: MadeOdt = { body: p('text') };

  it('may be one XML file, whatever its name', async () => {
    const flat = madeFlatOdt({
      body: `${p('a', 'P1')}`,
      automatic: style('P1', '', 'style:family="paragraph" style:parent-style-name="Title"'),
    });
    for (const fileName of ['a.fodt', 'a.xml'])
      expect(await readBytes(flat, { fileName })).toMatchObject({
        text: '# a',
        mediaType: 'application/vnd.oasis.opendocument.text-flat-xml',
      });
  });

  it('are refused with a password, without text, or if they are no texts', async () => {
    const manifest =
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    await expect(read({ ...made, parts: { 'META-INF/manifest.xml': strToU8(manifest) } })).rejects.toMatchObject({
      code: 'ENCRYPTED',
    });
    const empty = zipSync({ mimetype: strToU8('application/vnd.oasis.opendocument.text') });
    await expect(readBytes(empty, { fileName: 'a.odt' })).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(read({ ...made, parts: { 'content.xml': strToU8('<a/>') } })).rejects.toMatchObject({
      code: 'CORRUPT',
    });
    const sheet = madeFlatOdt(made).replaceAll('office:text>', 'office:spreadsheet>');
    await expect(readBytes(sheet, { fileName: 'a.fodt' })).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' });
    await expect(read({ body: p(' ') })).rejects.toMatchObject({ code: 'NO_TEXT' });
  });

  it('are refused if their elements are nested without end', async () => {
    await expect(
      read({ body: '<text:section>'.repeat(2_000) + '</text:section>'.repeat(2_000) }),
    ).rejects.toMatchObject({
      code: 'TOO_LARGE',
      details: { limit: 'depth' },
    });
  });
});
