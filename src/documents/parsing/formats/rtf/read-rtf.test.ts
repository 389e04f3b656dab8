import { describe, expect, it } from '@jest/globals';
import type { ParsedText } from '../../../../domain/text/block.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const { raw } = String;
const fonts = raw`{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fnil\fcharset134 SimSun{\*\falt \'cb\'ce};}{\f2\fcharset128 MS Mincho;}{\f3\fcharset136 Big;}{\f4\fcharset204 Arial Cyr;}{\f5\fcharset2{\*\panose 05050102010706020507}Symbol;}{\f6\fcharset129 Batang;}{\f7\fcharset238 Arial CE;}{\f8\fcharset0\cpg1253 Greek;}{\f9\fcharset2 Wingdings;}}`;
const styles = raw`{\stylesheet{\ql Normal;}{\s1\outlinelevel0\sbasedon0 heading 1;}{\s2\sbasedon1 Mine;}{\s3\sbasedon0 Quote;}{\s4\sbasedon5 A;}{\s5\sbasedon4 B;}{\s6 HTML Preformatted;}{\s7 caption;}{\s8 toc 2;}{\*\cs1 heading 2;}}`;
const document = (text: string, start = raw`\ansi\ansicpg1252\deff0`): string =>
  raw`{\rtf1${start}${fonts}${styles}${text}}`;
const read = (rtf: string | Uint8Array, fileName = 'a.rtf'): Promise<ParsedText> =>
  readBytes(typeof rtf === 'string' ? Buffer.from(rtf, 'latin1') : rtf, { fileName });
const textOf = async (text: string, start?: string): Promise<string> => (await read(document(text, start))).text;
const warningsOf = async (text: string): Promise<string[]> =>
  (await read(document(text))).warnings.map(({ code, message }) => `${code} ${message}`);

describe('characters', () => {
  it.each([
    ['GBK', raw`\f1 \'d6\'d0\'ce\'c4 ok`, '中文 ok'],
    ['GBK with a plain second half', raw`\f1 \'90h\'81\\`, '恏乗'],
    ['Shift-JIS', raw`\f2 \'8e\'9a\'b6\'83\'5c`, '字ｶソ'],
    ['Big5', raw`\f3 \'a4\'a4\'a5\'5c`, '中功'],
    ['a Korean code page', raw`\f6 \'c7\'d1`, '한'],
    ['a Cyrillic code page', raw`\f4 \'cf\'f0\'e8`, 'При'],
    ['a Central European code page', raw`\f7 \'f8`, 'ř'],
    ['a code page of the font itself', raw`\f8 \'e1`, 'α'],
    ['the code page of the document', raw`\f0 \'e9t\'e9`, 'été'],
    ['bytes that are not written as codes', '\\f1 \xd6\xd0 x', '中 x'],
  ])('are read in %s', async (_, rtf, text) => {
    expect(await textOf(rtf)).toBe(text);
  });

  it('of fonts that say nothing are those of the document, or single letters', async () => {
    const chinese = raw`\ansi\ansicpg936\deff0`;
    expect(await textOf(raw`\f0 \'d6\'d0 \'e9t\'e9, Caf\'e9`, chinese)).toBe('中 été, Café');
    expect(await textOf(raw`\'cf\'f0\'e8`, raw`\ansi\ansicpg1251`)).toBe('При');
    expect(await textOf(raw`\'8e`, raw`\mac`)).toBe('é');
    expect(await textOf(raw`\'82`, raw`\pc`)).toBe('é');
    expect(await textOf(raw`\'e4\'b8\'ad`, raw`\ansi\ansicpg65001`)).toBe('中');
  });

  it('in Unicode come without what stands for them', async () => {
    expect(await textOf(raw`\u20013?\u25991\'3f x`)).toBe('中文 x');
    expect(await textOf(raw`{\uc2\u20013\'d6\'d0\u25991 ab}\u-10179?\u-8704?c`)).toBe('中文😀c');
    expect(await textOf(raw`\uc0\u20013\u25991 ?`)).toBe('中文?');
    expect(await textOf(raw`\uc3\u20013{a}b \u128512?\tab\'41x`)).toBe('中ab 😀x');
  });

  it('of fonts of symbols are what they show', async () => {
    expect(await textOf(raw`\f5 a\'ae\u-3913?{\f9\'fc}`)).toBe('α→•✓');
    const parsed = await read(document(raw`{\f9 \'30}x`));
    expect(parsed.text).toBe('\ufffdx');
    expect(parsed.warnings).toMatchObject([{ code: 'SYMBOLS_UNKNOWN' }]);
  });

  it('may be words', async () => {
    expect(await textOf(raw`a\emdash b\lquote c\rquote\~d\_e\-f\{\}\\\line g\tab h\ldblquote\bullet\rdblquote`)).toBe(
      'a—b‘c’ d-ef{}\\\ng\th“•”',
    );
  });
});

describe('paragraphs', () => {
  it('are headings, quotes, code and captions by level or style', async () => {
    expect(
      await textOf(
        raw`\pard\s1 One\par\pard\s2 Two\par\pard\outlinelevel2 Three\par\pard\s1\outlinelevel9 text\par\pard\s3 said\par more\par\pard\s6 a\{\par\par  b\par\pard\s7 Figure\par\pard\s8 Entry\tab 3\par\pard\s4 x\
y\
}`,
      ),
    ).toBe(
      '# One\n\n# Two\n\n### Three\n\ntext\n\n> said\n>\n> more\n\n```\na{\n\n b\n```\n\nFigure\n\n- Entry\t3\n\nx\n\ny',
    );
  });

  it('are items with the marks that stand before them', async () => {
    const item = (mark: string, level: number, text: string): string =>
      raw`{\listtext\pard\plain ${mark}\tab}\pard\ls1\ilvl${level} ${text}\par`;
    expect(
      await textOf(
        [
          item(raw`\f5 \'b7`, 0, 'bullet'),
          item('1.', 1, 'one'),
          item('(2)', 1, 'two'),
          item('b)', 1, 'letter'),
          item('1.2.', 2, 'deep'),
          raw`{\pntext\f5\'B7\tab}{\*\pn\pnlvlblt{\pntxtb\'B7}}\pard old\par`,
          raw`\pard\ls3 unmarked\par\pard\s1 {\listtext 3.\tab}Head\par`,
        ].join('\n'),
      ),
    ).toBe('- bullet\n  1. one\n  2. two\n  - b) letter\n    - 1.2. deep\n- old\n- unmarked\n\n# 3. Head');
  });

  it('have notes, fields, boxes and equations', async () => {
    expect(
      await textOf(
        raw`Word{\footnote\pard\plain {\super\chftn} first}, {\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}{\footnote\ftnalt last}.\par\pard\s1 Head\par\pard ` +
          raw`{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt\pard box\par}}{\shprslt{\*\do{\dptxbxtext old}}}}See{\*\do\dobxpage{\dptxbxtext\pard other}} {\mmath{\*\moMath{\mf{\mfPr{\mtype bar}}{\mnum{\mr a}}{\mden{\mr b}}}}}\par`,
      ),
    ).toBe('Word[^1], link[^i].\n\n[^1]: first\n\n# Head\n\nSee a/b\n\nbox\n\nother\n\n[^i]: last');
  });
});

describe('tables', () => {
  const row = (definition: string, ...cells: string[]): string =>
    raw`\trowd${definition}\pard\intbl ${cells.map((cell) => raw`${cell}\cell `).join('')}\row`;

  it('have headers and merged cells', async () => {
    expect(
      await textOf(
        row(raw`\trhdr\trleft-108\clvmgf\cellx1000\cellx2000\cellx3000`, 'a', 'b', 'c') +
          row(raw`\trhdr\trleft-108\clvmrg\cellx1000\cellx2000\cellx3000`, '', 'd', 'e') +
          row(raw`\trleft-108\clvmgf\cellx1000\clmgf\cellx2000\clmrg\cellx3000`, '1', '2', '') +
          row(raw`\trleft-108\clvmrg\cellx1000\cellx2010\cellx3000`, '', '3', '4') +
          raw`\pard after\par`,
      ),
    ).toBe('| a | b / d | c / e |\n| --- | --- | --- |\n| 1 | 2 | 2 |\n| 1 | 3 | 4 |\n\nafter');
  });

  it('have cells as wide as the columns of other rows', async () => {
    expect(
      await textOf(
        row(raw`\cellx1000\cellx2000\cellx3000`, '1', '2', '3') +
          row(raw`\cellx1000\cellx3000`, 'x', 'wide') +
          row(raw`\trleft1000\cellx2000\cellx3000`, 'b', 'c'),
      ),
    ).toBe('|  |  |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| x | wide | wide |\n|  | b | c |');
  });

  it('within cells are text of them', async () => {
    const nested = raw`{\pard\intbl\itap2 1\nestcell 2\nestcell{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}{\nonesttables\par}3\nestcell 4\nestcell{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}}`;
    expect(
      await textOf(
        row(raw`\cellx1000\cellx2000`, 'a', 'b') + row(raw`\cellx1000\cellx2000`, `${nested}\\pard\\intbl `, 'y'),
      ),
    ).toBe('| a | b |\n| --- | --- |\n| 1, 2; 3, 4 | y |');
  });

  it('that are frames are what is in them, and careless ones lose nothing', async () => {
    expect(await textOf(row(raw`\cellx1000`, 'only') + raw`\pard x\par`)).toBe('only\n\nx');
    expect(await textOf(raw`\pard a\cell b\cell\row\pard\intbl 1\cell 2\cell 3\cell\row`)).toBe(
      '|  |  |  |\n| --- | --- | --- |\n| a | b |  |\n| 1 | 2 | 3 |',
    );
    expect(
      await textOf(row(raw`\cellx1000\cellx2000`, 'a', 'b') + raw`\trowd\cellx1000\cellx2000\pard\intbl 1\cell 2`),
    ).toContain('| 1 | 2 |');
    const deep = raw`\pard\intbl\itap1000000 deep\nestcell\nestrow`;
    expect(await textOf(deep)).toBe('deep');
  });
});

describe('what is left out', () => {
  it('is listed', async () => {
    const rtf =
      raw`{\header\pard Head\par}{\footerr {\f1\'d6\'d0}\chpgn }{\*\generator x;}{\info{\title T}}{\*\unknown{\b secret}}` +
      raw`a{\v b}\v c\v0 d{\deleted e}{\revised f}{\*\annotation{\*\atnid 1} why?}{\xe{\v entry}}` +
      raw`{\*\shppict{\pict{\*\picprop{\sp{\sn wzDescription}{\sv A cup of tea}}{\sp{\sn x}{\sv y}}}\pngblip 8950}}{\nonshppict{\pict 00}}{\object\objemb{\*\objdata 0105}{\result{\pict 01}shown}}\par`;
    expect(await textOf(rtf)).toBe('adf[A cup of tea]shown');
    expect(await warningsOf(rtf)).toEqual([
      'HEADERS_LEFT_OUT 2 headers and footers were left out, 5 characters: "Head 中".',
      'HIDDEN_LEFT_OUT 2 pieces of hidden text were left out, 2 characters: "b c".',
      'DELETIONS_LEFT_OUT 1 tracked deletion was left out, 1 character: "e".',
      'CHANGES_ACCEPTED 1 tracked insertion was taken as accepted.',
      'COMMENTS_LEFT_OUT 1 comment was left out, 4 characters: "why?".',
      'PICTURES_LEFT_OUT 1 picture was left out.',
      'EMBEDDED_LEFT_OUT 1 embedded file was left out.',
    ]);
  });

  it('is binary data, and text for programs that cannot read Unicode', async () => {
    expect(await textOf(raw`a{\pict\bin7 {}}\par}b\bin2 }}c{\upr{\f1\'d6\'d0}{\*\ud{\u20013?}}}`)).toBe('abc中');
    expect(await textOf(raw`a\bin99999999 tail`)).toBe('a');
  });
});

describe('careless and hostile files', () => {
  it('are read as far as they go, and it is said that they end early', async () => {
    const whole = document(raw`\pard one\par two {\b three`);
    const parsed = await read(whole.slice(0, -1));
    expect(parsed.text).toBe('one\n\ntwo three');
    expect(parsed.warnings).toEqual([{ code: 'FILE_CUT_SHORT', message: expect.stringContaining('2 of its groups') }]);
  });

  it('are read on where groups were ended too often, but not into what was left behind them', async () => {
    expect(await textOf(raw`one}\par two\par{\b three}`)).toBe('one\n\ntwo\n\nthree');
    expect((await read(`${document('x')}\0\0\r\n}`)).text).toBe('x');
  });

  it.each([
    '{',
    raw`{\b`,
    raw`{\footnote `,
    raw`{\*\x`,
    raw`{\listtext `,
    raw`{\shptxt `,
    raw`{\header `,
    raw`{\pard\intbl\itap2 x`,
  ])('may open %s 50,000 times', async (group) => {
    expect(await textOf(`seen\\par ${group.repeat(50_000)}`)).toContain('seen');
  });

  it.each([
    raw`\par `,
    raw`\cell `,
    raw`\row `,
    raw`\cellx9`,
    raw`\'81`,
    raw`\u20013`,
    raw`\uc99\u1 `,
    raw`\'`,
    '\\',
    raw`\trowd\cellx1\cell\row`,
    raw`\itap999999 x\par\pard x\par`,
    '}',
  ])('may repeat %s', async (word) => {
    expect(await textOf(`seen\\par ${word.repeat(100_000)}`)).toContain('seen');
  });

  it('are no Rich Text without its first word', async () => {
    await expect(readBytes('{\\rtf1 }', { fileName: 'a.rtf' })).rejects.toMatchObject({ code: 'NO_TEXT' });
    expect(await read('{"a": 1}', 'a.rtf')).toMatchObject({ mediaType: 'text/plain' });
  });

  it('are known whatever they are called', async () => {
    for (const fileName of ['a.doc', 'a.txt', 'a.md', 'a']) {
      expect(await read(`\r\n${document('x')}`, fileName)).toMatchObject({ text: 'x', mediaType: 'application/rtf' });
    }
  });
});
