import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import type { ParsedText } from '../../../../domain/text/block.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (content: string | Uint8Array, fileName = 'a.csv'): Promise<ParsedText> =>
  readBytes(content, { fileName });
const codes = ({ warnings }: ParsedText): string[] => warnings.map(({ code }) => code);

describe('readCsv', () => {
  it('reads a table with its header', async () => {
    const parsed = await read('\ufeffname,age\r\n"Zhang, San",30\r\n李四,25\r\n');
    expect(parsed).toMatchObject({
      text: '| name | age |\n| --- | --- |\n| Zhang, San | 30 |\n| 李四 | 25 |',
      blocks: [{ type: 'table', charStart: 0, charEnd: 60 }],
      mediaType: 'text/csv',
      encoding: 'utf-8',
      warnings: [],
    });
  });

  it.each([',', ';', '\t', '|'])('finds out that %j parts the fields', async (delimiter) => {
    const rows = ['name', 'price', 'note'].join(delimiter) + '\n' + ['a', '1.5', 'x y'].join(delimiter) + '\n';
    expect((await read(rows)).text).toBe('| name | price | note |\n| --- | --- | --- |\n| a | 1.5 | x y |');
  });

  it('is not misled by commas in fields that semicolons part', async () => {
    expect((await read('a;b\n1,5;2,5\n3,5;4\n')).text).toContain('| 1,5 | 2,5 |');
  });

  it('takes the word of a line that names the delimiter', async () => {
    expect((await read('sep=;\na;b\n1,2;3\n')).text).toBe('| a | b |\n| --- | --- |\n| 1,2 | 3 |');
  });

  it('keeps the fields of ragged rows, and names the rows', async () => {
    const parsed = await read('a,b\n1\n2,3,4\n5,6\n');
    expect(parsed.text).toBe('|  |  |  |\n| --- | --- | --- |\n| a | b |  |\n| 1 |  |  |\n| 2 | 3 | 4 |\n| 5 | 6 |  |');
    expect(codes(parsed)).toEqual(['RAGGED_ROWS']);
    expect(parsed.warnings[0]?.message).toContain('2 of 4 rows have not 2 fields like the first one (rows 2, 3)');
  });

  it('keeps a row that is wider than any of those the table began with', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i},x`).join('\n');
    expect((await read(`n,v\n${rows}\n31,y,more,fields\n`)).text).toContain('| 31 | y more fields |');
  });

  it('gives no names to columns whose first row has none', async () => {
    expect((await read('1,2\n3,4\n')).text).toBe('|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |');
  });

  it('keeps emoji, words for nothing, pipes and line ends in fields', async () => {
    const { text } = await read('k,v\n😀,N/A\nNULL,"a|b\nc"\nNone,nan\n');
    expect(text).toBe('| k | v |\n| --- | --- |\n| 😀 | N/A |\n| NULL | a\\|b c |\n| None | nan |');
  });

  it('reads a field that begins with a quote and goes on behind it', async () => {
    expect((await read('a,b\n"x" y,2\nz "q" w,3\n')).text).toContain('| "x" y | 2 |\n| z "q" w | 3 |');
  });

  it('reads on where a quote is never closed, and says so', async () => {
    const parsed = await read('a,b\n1,"x\n2,y\n');
    expect(parsed.text).toContain('| 1 | "x |\n| 2 | y |');
    expect(codes(parsed)).toEqual(['QUOTE_NOT_CLOSED']);
  });

  it('writes the name before each value where there are too many columns', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `name ${i}`);
    const row = names.map((_, i) => (i === 3 ? '' : `v${i}`));
    const { text, blocks } = await read(`${names.join(',')}\n${row.join(',')}\n`);
    expect(text).toMatch(/^name 0: v0; name 1: v1; name 2: v2; name 4: v4; .*name 29: v29\n\nname 3$/);
    expect(blocks).toMatchObject([{ type: 'paragraph' }, { type: 'paragraph' }]);
  });

  it('reads what a Chinese Excel saves', async () => {
    const parsed = await read(iconv.encode('姓名,年龄\r\n张三,30\r\n李四,25\r\n', 'gb18030'));
    expect(parsed).toMatchObject({ encoding: 'gb18030', text: expect.stringContaining('| 姓名 | 年龄 |') });
    expect(codes(parsed)).toEqual(['ENCODING_GUESSED']);
  });

  it('reads tab-separated values under their own name', async () => {
    const parsed = await read('a, b\tc\n1\t2\n', 'a.tsv');
    expect(parsed).toMatchObject({
      mediaType: 'text/tab-separated-values',
      text: expect.stringMatching(/^\| a, b \| c \|/),
    });
  });

  it('reads many rows as one table', async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => `${i},word ${i}`).join('\n');
    const { blocks, text } = await read(`id,word\n${rows}\n`);
    expect(blocks).toHaveLength(1);
    expect(text.split('\n')).toHaveLength(50_002);
  });

  it.each(['', '\ufeff', ' \n\n'])('calls %j empty', async (content) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'EMPTY' });
  });
});
