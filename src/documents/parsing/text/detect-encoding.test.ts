import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { decodeText } from './detect-encoding.js';
import { encodingNamed } from './encoding/known-encodings.js';

const encode = (text: string, encoding: string, addBOM = false): Buffer => iconv.encode(text, encoding, { addBOM });
const codes = (warnings: readonly { code: string }[]): string[] => warnings.map(({ code }) => code);

describe('decodeText', () => {
  it.each<[string, string, string]>([
    ['utf-8', 'utf-8', 'x'],
    ['utf-16le', 'utf-16le', '中 x'],
    ['utf-16be', 'utf-16be', '中 x'],
    ['utf-32le', 'utf-32le', '😀'],
    ['utf-32be', 'utf-32be', '😀'],
  ])('takes the word of a byte order mark for %s', (encoding, expected, text) => {
    expect(decodeText(encode(text, encoding, true))).toEqual({
      text,
      encoding: expected,
      confidence: 1,
      warnings: [],
    });
  });

  it('knows UTF-8 by its bytes', () => {
    expect(decodeText(Buffer.from('naïve 中文 😀'))).toEqual({
      text: 'naïve 中文 😀',
      encoding: 'utf-8',
      confidence: 1,
      warnings: [],
    });
  });

  it('takes every valid UTF-8 that has no zeros for what it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));
        expect(decodeText(Buffer.from(text))).toMatchObject({ text, encoding: 'utf-8', confidence: 1 });
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('does not take one zero for UTF-16', () => {
    expect(decodeText(Buffer.from('he\0llo'))).toMatchObject({ text: 'he\0llo', encoding: 'utf-8' });
  });

  it('does not take many zeros for UTF-16 in a text whose other letters are valid UTF-8', () => {
    const text = `${'a\0b\0c '.repeat(50)}\nÜber den Fluß`;
    expect(decodeText(Buffer.from(text))).toMatchObject({ text, encoding: 'utf-8' });
  });

  it.each(['utf-16le', 'utf-16be', 'utf-32le'])('says when %s ends in the middle of a character', (encoding) => {
    const whole = iconv.encode('half a letter', encoding);
    expect(decodeText(Buffer.concat([whole, Buffer.from('x')]), encoding)).toMatchObject({
      text: 'half a letter\ufffd',
      warnings: [expect.objectContaining({ code: 'CHARACTERS_REPLACED' })],
    });
  });

  it.each<[string, string]>([
    ['gb18030', '中文'],
    ['gb18030', '北京'],
    ['gb18030', '重庆火锅'],
    ['gb18030', '数据库连接失败'],
    ['gb18030', '# 标题\n\n这是一个测试文档，用来检查编码识别。'],
    ['gb18030', 'int main() { return 0; } // 主函数\n'],
    ['gb18030', '姓名,年龄\r\n张三,30\r\n李四,25\r\n'],
    ['big5', '中文'],
    ['big5', '台北'],
    ['big5', '這是一個測試文件，用來檢查編碼識別。我們在這裡寫一些字。'],
    ['shift_jis', '日本語'],
    ['shift_jis', 'これはテストです。文字コードの判定を確認します。'],
    ['euc-jp', 'これはテストです。文字コードの判定を確認します。'],
    ['euc-kr', '한국어'],
    ['euc-kr', '이것은 시험 문서입니다. 문자 인코딩을 확인합니다.'],
    ['windows-1252', 'Café résumé naïve'],
    ['windows-1252', '“Smart quotes” — and € sign'],
    ['windows-1252', 'Der Wähler über die Straße'],
    ['windows-1252', 'é'],
    ['windows-1251', 'Это тестовый документ для проверки кодировки. Мы пишем здесь слова.'],
    ['windows-1251', 'Москва'],
    ['koi8-r', 'Это тестовый документ для проверки кодировки. Мы пишем здесь слова.'],
    ['windows-1253', 'Αυτό είναι ένα δοκιμαστικό έγγραφο για την κωδικοποίηση'],
    ['utf-16le', 'hello world'],
    ['utf-16be', 'hello world'],
    ['utf-16le', '这是一个测试文档，用来检查编码识别。'],
    ['utf-16be', '这是一个测试文档，用来检查编码识别。'],
    ['utf-16be', 'これはテストです'],
    ['utf-16le', 'Это тест'],
  ])('guesses %s for %j, and says that it is a guess', (encoding, text) => {
    const result = decodeText(encode(text, encoding));
    expect(result).toMatchObject({ text, encoding });
    expect(result.confidence).toBeGreaterThan(0);
    expect(result.confidence).toBeLessThan(1);
    expect(codes(result.warnings)).toEqual(['ENCODING_GUESSED']);
  });

  it('guesses from the part that is not ASCII, wherever it is', () => {
    const text = `${'plain text\n'.repeat(30_000)}这里是一些中文的内容，我们用来测试。\n${'more\n'.repeat(1_000)}`;
    expect(decodeText(encode(text, 'gb18030'))).toMatchObject({ text, encoding: 'gb18030' });
  });

  it('guesses from a line that has no end', () => {
    const text = '这里是一些中文的内容，我们用来测试 '.repeat(20_000);
    expect(decodeText(encode(text, 'gb18030'))).toMatchObject({ encoding: 'gb18030' });
  });

  it('keeps UTF-8 that was cut off, with a warning', () => {
    const bytes = Buffer.from('这是一个测试文档').subarray(0, -1);
    const result = decodeText(bytes);
    expect(result).toMatchObject({ text: '这是一个测试文\ufffd', encoding: 'utf-8' });
    expect(codes(result.warnings)).toEqual(['CHARACTERS_REPLACED']);
  });

  it('reads as what it is told to', () => {
    expect(decodeText(encode('Москва', 'koi8-r'), 'KOI8-R')).toEqual({
      text: 'Москва',
      encoding: 'koi8-r',
      confidence: 1,
      warnings: [],
    });
    expect(decodeText(encode('測試', 'big5'), 'Big5').text).toBe('測試');
  });

  it('says how much does not fit what it was told', () => {
    const result = decodeText(encode('中文', 'gb18030'), 'utf-8');
    expect(codes(result.warnings)).toEqual(['CHARACTERS_REPLACED']);
  });

  it('refuses an encoding that nobody knows', () => {
    expect(() => decodeText(Buffer.from('x'), 'klingon')).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});

describe('encodingNamed', () => {
  it.each([
    ['UTF8', 'utf-8'],
    ['utf-8', 'utf-8'],
    ['GBK', 'gb18030'],
    ['gb2312', 'gb18030'],
    ['Shift_JIS', 'shift_jis'],
    ['latin1', 'windows-1252'],
    ['ISO-8859-15', 'iso-8859-15'],
    ['cp1251', 'windows-1251'],
    ['CP866', 'cp866'],
  ])('knows %s as %s, and can read it', (label, name) => {
    expect(encodingNamed(label)).toBe(name);
    expect(iconv.encodingExists(name)).toBe(true);
  });

  it.each(['', 'iso-8859-12', 'base64', 'hex', 'utf-7', 'constructor', '__proto__'])('does not know %j', (label) => {
    expect(encodingNamed(label)).toBeUndefined();
  });
});
