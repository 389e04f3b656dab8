import { describe, expect, it } from '@jest/globals';
import type { ParsedText } from '../../../../domain/text/block.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (content: string, fileName = 'a.json'): Promise<ParsedText> => readBytes(content, { fileName });

describe('readJson', () => {
  it('reads a list of like objects as a table, with every digit', async () => {
    const parsed = await read('[{"id": 12345678901234567890, "名": "a|b\\nc"}, {"名": "\\ud83d\\ude00", "ok": null}]');
    expect(parsed).toMatchObject({
      mediaType: 'application/json',
      text: '| id | 名 | ok |\n| --- | --- | --- |\n| 12345678901234567890 | a\\|b c |  |\n|  | 😀 | null |',
      blocks: [{ type: 'table' }],
    });
  });

  it('reads an object as lists under headings', async () => {
    const { text, blocks } = await read(
      '{"name": "x", "people": [{"n": 1}, {"n": 2}], "tags": ["a", "b"], "deep": {"one": {"two": [1, {"three": true}]}, "none": []}}',
    );
    expect(text).toBe(
      [
        '- name: x',
        '# people\n\n| n |\n| --- |\n| 1 |\n| 2 |',
        '# tags\n\n- a\n- b',
        '# deep\n\n- one:\n  - two:\n    - 1\n    - ·\n      - three: true\n- none: []',
      ].join('\n\n'),
    );
    expect(blocks.filter(({ type }) => type === 'heading')).toHaveLength(3);
  });

  it('begins another table where objects are of another kind', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => `{"a": ${i}}`);
    const { text, blocks } = await read(`[${[...rows, '{"b": "x"}', '{"c": {"d": 1}}'].join(',')}]`);
    expect(blocks.map(({ type }) => type)).toEqual(['table', 'table', 'listItem', 'listItem', 'listItem']);
    expect(text).toMatch(/\| 24 \|\n\n\| b \|\n\| --- \|\n\| x \|\n\n- ·\n {2}- c:\n {4}- d: 1$/);
  });

  it.each([
    ['a word', '"hello"', 'hello'],
    ['a number', '1e400', '1e400'],
    ['a comma too many', '["a", "b",]', '- a\n- b'],
    ['line ends within a string', '["a\nb"]', '- a\n  b'],
    ['members of one name', '{"a": "1", "a": "2"}', '- a: 1\n- a: 2'],
  ])('reads %s', async (_, content, text) => {
    expect((await read(content)).text).toBe(text);
  });

  it.each(['{"a": }', '[1 2]', '{"a": 1', '[1]]', '{"a": "\\x"}', '01', "{'a': 1}", '"', '{"a" 1}'])(
    'says which line of %j is wrong',
    async (content) => {
      await expect(read(`\n\n${content}`)).rejects.toMatchObject({
        code: 'CORRUPT',
        message: 'The file is damaged: line 3 is not JSON.',
      });
    },
  );

  it('bounds the nesting', async () => {
    await expect(read('['.repeat(100_000))).rejects.toMatchObject({ code: 'TOO_LARGE', details: { limit: 'depth' } });
    const deep = `${'['.repeat(400)}1${']'.repeat(400)}`;
    expect((await read(deep)).text).toContain('- 1');
  });

  it.each(['[]', '{}', '""'])('calls %s without text', async (content) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'NO_TEXT' });
  });
});

describe('readJsonLines', () => {
  it('reads a value from each line, and keeps a line that is none', async () => {
    const parsed = await read('{"a": 1}\n\n{"a": 2}\noops {\n{"b": [1, 2]}\n', 'a.jsonl');
    expect(parsed.mediaType).toBe('application/jsonl');
    expect(parsed.text).toBe('| a |\n| --- |\n| 1 |\n| 2 |\n\n- oops {\n- ·\n  - b: 1, 2');
    expect(parsed.warnings).toEqual([{ code: 'LINES_NOT_JSON', message: expect.stringContaining('1 of 6 lines') }]);
  });

  it('does not read a file of which no line is JSON', async () => {
    await expect(read('one\ntwo', 'a.ndjson')).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});
