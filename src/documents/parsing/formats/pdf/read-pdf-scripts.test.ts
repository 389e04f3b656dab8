import { describe, expect, it } from '@jest/globals';
import type { Fixture } from '../../../../testing/fixtures/fixture.js';
import * as scripts from '../../../../testing/fixtures/pdf/script-pdfs.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const textOf = async ({ bytes, fileName }: Fixture): Promise<string> => (await readBytes(bytes, { fileName })).text;

describe('readPdf, of scripts', () => {
  it('reads Chinese by the maps of fonts that are not in the file', async () => {
    expect(await textOf(scripts.chinese)).toBe(
      [
        '# 第一章 港口',
        '港口是供船舶停靠、装卸货物和上下旅客的地方，在沿海城市的发展中起着重要的作用。',
        '灯塔每天晚上发出光芒，引导远方归来的船只。',
      ].join('\n\n'),
    );
  });

  it('reads vertical Japanese from right to left', async () => {
    expect(await textOf(scripts.verticalJapanese)).toBe(
      '港には毎日たくさんの船が入ってきて、夜には灯台が海を照らしている。',
    );
  });

  it('reads Hebrew in the order of its words, with numbers and brackets', async () => {
    expect(await textOf(scripts.hebrew)).toBe('הנמל נבנה בשנת 1905 לפני זמן רב. כולם (Port) וקראו לו');
  });

  it('gives Arabic letters their plain form', async () => {
    expect(await textOf(scripts.arabic)).toBe('السلام');
  });

  it('writes ligatures as letters', async () => {
    expect(await textOf(scripts.ligatures)).toBe('The first floor has an ofice\n\nfiflffi');
  });

  it('leaves out letters that nobody can tell, and says how many', async () => {
    const { text, warnings } = await readBytes(scripts.unknownLetters.bytes, { fileName: 'a.pdf' });
    expect(text).toBe('Known letters.');
    expect(warnings).toEqual([
      { code: 'CHARACTERS_UNKNOWN', message: expect.stringMatching(/^6 characters .* \(pages 1–2\)\.$/) },
      { code: 'PARTIAL', message: '1 page was without text: blank, or pictures only (page 2).' },
    ]);
  });
});
