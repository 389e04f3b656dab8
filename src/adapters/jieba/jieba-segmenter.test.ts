import { describe, expect, it } from '@jest/globals';
import { JiebaSegmenter } from './jieba-segmenter.js';

const segmenter = new JiebaSegmenter();

const stored = (text: string): string[] => segmenter.segment(text).split(' ');
const asked = (query: string): string[] => segmenter.segmentQuery(query).split(' ');

/** Whether a stored text is found by a query. */
function finds(query: string, text: string): boolean {
  const terms = new Set(stored(text));
  return asked(query).some((term) => terms.has(term));
}

/** Whether every term of the query is in the text. */
function findsWhole(query: string, text: string): boolean {
  const terms = new Set(stored(text));
  return asked(query).every((term) => terms.has(term));
}

describe('JiebaSegmenter', () => {
  it('cuts Chinese into words, and words into the words inside them', () => {
    expect(asked('研究生命起源的科学家')).toEqual(['研究', '生命', '起源', '科学', '学家', '科学家']);
    expect(stored('研究生命起源的科学家')).toEqual(expect.arrayContaining(asked('研究生命起源的科学家')));
  });

  it('finds a word that no dictionary knows inside a sentence', () => {
    const text = '观测站的鲲鹏潮汐仪每小时记录一次水位。';
    for (const query of ['鲲鹏潮汐仪', '鲲鹏', '潮汐仪', '鹏潮', '仪'])
      expect([query, finds(query, text)]).toEqual([query, true]);
    expect(findsWhole('鲲鹏潮汐仪', text)).toBe(true);
    expect(finds('鲲鹏潮汐仪', '研究生命起源的科学家')).toBe(false);
  });

  it('finds a text by whatever part of it, though the part alone is cut differently', () => {
    const text = '南京市长江大桥的研究生命起源于乒乓球拍卖完了的数据库写入𠮷野家々〇';
    const characters = [...text];
    for (let from = 0; from < characters.length; from += 1) {
      for (let to = from + 1; to <= characters.length; to += 1) {
        const part = characters.slice(from, to).join('');
        expect([part, finds(part, text)]).toEqual([part, true]);
      }
    }
  });

  it('does not look for single characters of longer words, nor for those that stand in every text', () => {
    expect(finds('国家', '大家的书')).toBe(false);
    expect(asked('书的价格')).toEqual(['书', '价格']);
    expect(asked('的')).toEqual(['的']);
  });

  it.each([
    ['strategySnapshot', 'the strategySnapshot of a task'],
    ['snapshot', 'the strategySnapshot of a task'],
    ['strategy_snapshot', 'the strategySnapshot of a task'],
    ['strategy-snapshot', 'the strategySnapshot of a task'],
    ['x-task-id', 'Header `x-task-id`: required'],
    ['task', 'Header `x-task-id`: required'],
    ['foo_bar', 'call foo_bar(1)'],
    ['bar', 'call foo_bar(1)'],
    ['HTTPServer', 'class HTTPServer extends Server'],
    ['server', 'class HTTPServer'],
    ['segmenter', 'see src/search/segmenter.ts'],
    ['example.com', 'https://www.example.com/docs?page=1'],
    ['1.14.0', 'onnxruntime 1.14.0 is needed'],
    ['2024-01-31', 'on 2024-01-31.'],
    ['status', 'taskStatus=RETRYING'],
    ['ABC123', '型号ＡＢＣ１２３的手册'],
    ['cafe', 'Café Müller'],
    ['Muller', 'Cafe\u0301 Mu\u0308ller'],
    ['database', 'data\u00adbase'],
    ['Kafka消费者', '重启Kafka消费者进程'],
    ['データベース', 'このデータベースの設計'],
    ['ベース', 'このデータベースの設計'],
    ['데이터베이스', '데이터베이스를 만든다'],
    ['ภาษา', 'นี่คือภาษาไทย'],
  ])('finds %s in: %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it('keeps a number with points whole', () => {
    expect(asked('1.14.0')).toEqual(['1.14.0']);
    expect(finds('1.15.0', 'version 1.14.0')).toBe(false);
  });

  it('gives nothing but terms and single spaces, whatever the text holds', () => {
    const odd = "a\u0000b \ud800 c' | & ! :* <-> (d) \\e \u202e 👩‍👩‍👧‍👦\r\n\t、。——";
    expect(segmenter.segment(odd)).toBe('a b c d e');
    expect(segmenter.segmentQuery(odd)).toBe('a b c d e');
    for (const blank of ['', ' \n', '。，', '\u0000']) {
      expect(segmenter.segment(blank)).toBe('');
      expect(segmenter.segmentQuery(blank)).toBe('');
    }
  });

  it('cuts solid lines, dumps and rulers into words of bounded length', () => {
    const lines = [
      'x'.repeat(5_000_000),
      'aB'.repeat(100_000),
      'a-'.repeat(100_000),
      '_'.repeat(100_000),
      '研'.repeat(500_000),
    ];
    for (const line of [
      ...lines,
      'あ'.repeat(500_000),
      '1.'.repeat(100_000),
      'a\u0301'.repeat(100_000),
      'あ\u3099'.repeat(100_000),
    ]) {
      expect(Math.max(...new Set(stored(line).map((term) => term.length)))).toBeLessThanOrEqual(64);
    }
    expect(finds('x'.repeat(3_000), 'x'.repeat(3_000))).toBe(true);
  });

  it('looks for a bounded number of terms', () => {
    const long = Array.from({ length: 2_000 }, (_, n) => String.fromCodePoint(0x4e00 + n * 7)).join('');
    expect(asked(long).length).toBeLessThanOrEqual(256);
    expect(finds(long, long)).toBe(true);
    expect(asked(Array.from({ length: 1_000 }, (_, n) => `w${n}`).join(' ')).length).toBe(256);
  });
});
