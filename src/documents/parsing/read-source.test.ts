import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import type { ParsedText } from '../../domain/text/block.js';
import { packBlocks, unpackBlocks } from './packed-blocks.js';
import { readBytes } from '../../testing/read-bytes.js';
import type { SourceDescription } from './read-source.js';

function read(
  content: string | Buffer,
  fileName = 'file.md',
  more: Partial<SourceDescription> = {},
): Promise<ParsedText> {
  return readBytes(content, { fileName, ...more }, { textChars: 1_000, blocks: 100 });
}

describe('readSource', () => {
  it('reads Markdown', async () => {
    expect(await read('\ufeff# Title\r\n\r\nThis is the text of it.\r\n')).toEqual({
      text: '# Title\n\nThis is the text of it.\n',
      blocks: [
        { type: 'heading', depth: 1, charStart: 0, charEnd: 7 },
        { type: 'paragraph', charStart: 9, charEnd: 32 },
      ],
      warnings: [],
      encoding: 'utf-8',
      encodingConfidence: 1,
      mediaType: 'text/markdown',
      language: 'en',
    });
  });

  it.each(['a.txt', 'a.TEXT', 'a.log', 'README', 'notes.v2', '.hidden'])('reads %s as plain text', async (fileName) => {
    const { mediaType, blocks } = await read('# not a heading\nthe same paragraph', fileName);
    expect(mediaType).toBe('text/plain');
    expect(blocks).toEqual([{ type: 'paragraph', charStart: 0, charEnd: 34 }]);
  });

  it.each(['a.md', 'a.MARKDOWN'])('reads %s as Markdown', async (fileName) => {
    expect((await read('# a', fileName)).mediaType).toBe('text/markdown');
  });

  it('lets the sender say what a name does not tell', async () => {
    expect((await read('# a', 'README', { mediaType: 'text/markdown; charset=utf-8' })).mediaType).toBe(
      'text/markdown',
    );
    expect((await read('# a', 'a.txt', { mediaType: 'text/markdown' })).mediaType).toBe('text/plain');
  });

  it.each<[string, string | Buffer, string]>([
    ['no bytes', '', 'a.md'],
    ['a byte order mark', '\ufeff', 'a.md'],
    ['blanks', ' \n\t\r\n\u3000\u200b', 'a.txt'],
    ['no bytes under another name', '', 'a.pdf'],
  ])('calls a file of %s empty', async (_, content, fileName) => {
    await expect(read(content, fileName)).rejects.toMatchObject({ name: 'AppError', code: 'EMPTY' });
  });

  it.each<[string, string | Buffer, string]>([
    ['an archive that calls itself Markdown', gzipSync('text'), 'a.md'],
    ['an image without an ending', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image'],
    ['bytes of no kind', Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 7_919 + i * i * 13) & 255)), 'a.txt'],
    ['zeros', Buffer.alloc(100), 'a.txt'],
  ])('does not take %s', async (_, content, fileName) => {
    await expect(read(content, fileName)).rejects.toMatchObject({ name: 'AppError', code: 'UNSUPPORTED_TYPE' });
  });

  it('names the kind that it cannot read', async () => {
    await expect(read(gzipSync('text'), 'a.docx')).rejects.toThrow('"archive"');
  });

  it('takes zeros out of words and headings, and says so', async () => {
    const parsed = await read('# he\0ading\n\nwo\0rd in a line of text that is long enough to be one');
    expect(parsed.text).toMatch(/^# heading\n\nword /);
    expect(parsed.warnings.map(({ code }) => code)).toEqual(['CHARACTERS_REMOVED']);
  });

  it('reads another encoding and says that it was guessed', async () => {
    const parsed = await read(iconv.encode('# 标题\n\n这是一个测试文档，用来检查编码识别。', 'gb18030'), 'a.md');
    expect(parsed.text).toContain('# 标题');
    expect(parsed).toMatchObject({ encoding: 'gb18030', language: 'zh' });
    expect(parsed.encodingConfidence).toBeGreaterThan(0.8);
    expect(parsed.warnings.map(({ code }) => code)).toEqual(['ENCODING_GUESSED']);
  });

  it('reads what it is told to read it as', async () => {
    const bytes = iconv.encode('Москва', 'koi8-r');
    expect(await read(bytes, 'a.txt', { encoding: 'koi8-r' })).toMatchObject({ text: 'Москва', encodingConfidence: 1 });
  });

  it('counts the limit in code points', async () => {
    expect((await read('😀'.repeat(1_000))).text).toHaveLength(2_000);
    await expect(read('😀'.repeat(1_001))).rejects.toMatchObject({ name: 'AppError', code: 'TOO_LARGE' });
  });

  it('bounds the number of blocks', async () => {
    await expect(read('a\n\n'.repeat(101))).rejects.toMatchObject({ name: 'AppError', code: 'TOO_LARGE' });
  });
});

describe('packed blocks', () => {
  it('are unpacked as they were', async () => {
    const { blocks } = await read('# a\n\n- b\n\n```\nc\n```\n\n> d');
    const withPage = [...blocks, { type: 'pageBreak' as const, charStart: 90, charEnd: 91, page: 3 }];
    expect(unpackBlocks(packBlocks(withPage))).toEqual(withPage);
  });
});
