import { describe, expect, it } from '@jest/globals';
import {
  abstractList,
  docxFile,
  item,
  list,
  para,
  style,
  styled,
  type DocxParts,
} from '../../../../testing/fixtures/docx-file.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const textOf = async (body: string, parts: DocxParts): Promise<string> =>
  (await readBytes(docxFile(body, parts), { fileName: 'a.docx' })).text;

const bullets = [
  ['bullet', '\uf0b7'],
  ['bullet', 'o'],
] as const;
const decimals = [
  ['decimal', '%1.'],
  ['lowerLetter', '%2)'],
  ['lowerRoman', '(%3)'],
] as const;

describe('lists of Word documents', () => {
  it('are nested, with numbers and letters as they are shown', async () => {
    const numbering = abstractList(0, bullets) + abstractList(1, decimals) + list(1, 0) + list(2, 1);
    const body =
      item('dot', 1) +
      item('circle', 1, 1) +
      para('between') +
      item('one', 2) +
      item('a', 2, 1) +
      item('i', 2, 2) +
      item('ii', 2, 2) +
      item('b', 2, 1) +
      item('two', 2) +
      item('a again', 2, 1) +
      item('no list of that number', 7) +
      item('taken out of its list', 0);
    expect(await textOf(body, { numbering })).toBe(
      [
        '- dot\n  - circle',
        'between',
        '1. one\n   - a) a\n     - (i) i\n     - (ii) ii\n   - b) b\n2. two\n   - a) a again',
        'no list of that number',
        'taken out of its list',
      ].join('\n\n'),
    );
  });

  it('go on, begin anew and begin elsewhere as Word counts them', async () => {
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>';
    const fromTen = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="10"/></w:lvlOverride>';
    const numbering = abstractList(0, decimals) + list(1, 0) + list(2, 0) + list(3, 0, restart) + list(4, 0, fromTen);
    const body =
      item('one', 1) +
      item('two', 1) +
      para('then') +
      item('three', 2) +
      item('one', 3) +
      item('two', 3) +
      item('ten', 4);
    expect(await textOf(body, { numbering })).toBe('1. one\n2. two\n\nthen\n\n3. three\n1. one\n2. two\n10. ten');
  });

  it('number headings, and items by all of their levels', async () => {
    const levels = [
      ['decimal', '%1'],
      ['decimal', '%1.%2'],
      ['lowerRoman', '%1.%2.%3'],
    ] as const;
    const styled1 = '<w:pStyle w:val="H1"/>';
    const numbering =
      abstractList(0, levels).replace('<w:lvlText w:val="%1"/>', `${styled1}<w:lvlText w:val="%1"/>`) +
      list(1, 0) +
      abstractList(1, [
        ['upperRoman', 'Article %1.'],
        ['decimal', '§ %2'],
      ]) +
      list(2, 1) +
      abstractList(2, [
        ['chineseCounting', '第%1条'],
        ['ideographTraditional', '%2、'],
      ]) +
      list(3, 2);
    const styles =
      style('H1', 'heading 1', { pPr: '<w:numPr><w:numId w:val="1"/></w:numPr>' }) +
      style('H2', 'heading 2', { pPr: '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>' });
    const body =
      styled('H1', 'Start') +
      styled('H2', 'Scope') +
      styled('H2', 'Terms') +
      item('third level', 1, 2) +
      styled('H1', 'Next') +
      styled('H2', 'Anew') +
      para('Not numbered', '<w:pStyle w:val="H2"/><w:numPr><w:numId w:val="0"/></w:numPr>') +
      item('law', 2) +
      item('paragraph', 2, 1) +
      item('law', 2) +
      item('总则', 3) +
      item('甲方', 3, 1);
    expect(await textOf(body, { numbering, styles })).toBe(
      [
        '# 1 Start',
        '## 1.1 Scope',
        '## 1.2 Terms',
        '- 1.2.i third level',
        '# 2 Next',
        '## 2.1 Anew',
        '## Not numbered',
        '- Article I. law\n  - § 1 paragraph\n- Article II. law\n- 第一条 总则\n  - 甲、 甲方',
      ].join('\n\n'),
    );
  });

  it('come from styles, and from styles of lists', async () => {
    const numbering =
      abstractList(0, [['decimal', '%1)']], '<w:styleLink w:val="MyList"/>') +
      abstractList(1, [], '<w:numStyleLink w:val="MyList"/>') +
      abstractList(2, bullets) +
      list(1, 0) +
      list(2, 1) +
      list(3, 2);
    const styles =
      style('Bullet', 'List Bullet', { pPr: '<w:numPr><w:numId w:val="3"/></w:numPr>' }) +
      style('Own', 'Own', { basedOn: 'Bullet' });
    const body = item('one', 2) + item('two', 2) + styled('Bullet', 'dot') + styled('Own', 'dot, too');
    expect(await textOf(body, { numbering, styles })).toBe('1. one\n2. two\n- dot\n- dot, too');
  });
});
