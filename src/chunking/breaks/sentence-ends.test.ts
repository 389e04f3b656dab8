import { describe, expect, it } from '@jest/globals';
import { simpleBlocks } from '../../testing/simple-blocks.js';
import { Outline } from '../outline/outline.js';
import { CodePoints } from '../text/code-points.js';
import { sentenceEnds } from './sentence-ends.js';

function sentencesOf(text: string): string[] {
  const outline = Outline.of(text, simpleBlocks(text), new CodePoints(text));
  const ends = [...sentenceEnds(text, outline, { start: 0, end: text.length }), text.length];
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end).trim());
}

describe('sentence ends', () => {
  it.each([
    [
      'stops, marks and what closes after them',
      'One. "Two!" (Three?) Four… Five',
      ['One.', '"Two!"', '(Three?)', 'Four…', 'Five'],
    ],
    [
      'no abbreviations',
      'See Dr. Li, e.g. at 3.5 p.m. or Fig. 2 of U.S. Steel. Then go.',
      ['See Dr. Li, e.g. at 3.5 p.m. or Fig. 2 of U.S. Steel.', 'Then go.'],
    ],
    ['no initials', 'J. R. Smith came. He left.', ['J. R. Smith came.', 'He left.']],
    [
      'no stop before a small letter',
      'Use node.js 20 or so... then wait. Yes?! Done.',
      ['Use node.js 20 or so... then wait.', 'Yes?!', 'Done.'],
    ],
    ['Chinese without blanks', '今天好。明天呢？“好！”他说；走吧', ['今天好。', '明天呢？', '“好！”', '他说；走吧']],
    ['a stop of one script before another', '版本是 API.下一句。3.5倍', ['版本是 API.', '下一句。', '3.5倍']],
    ['full-width numbers', '値は３．１４です。終わり．次', ['値は３．１４です。', '終わり．', '次']],
    [
      'Hindi, Arabic and Armenian',
      'यह है। वह है॥ هل هذا؟ نعم۔ Այո։ Ոչ',
      ['यह है।', 'वह है॥', 'هل هذا؟', 'نعم۔', 'Այո։', 'Ոչ'],
    ],
    ['the ends of blocks, wrapped lines not', '# Title\n\none\ntwo\n\n- a\n- b', ['# Title', 'one\ntwo', '- a', '- b']],
    ['every line of code and tables', '```\na\nb\n```\n\n| x |\n|---|', ['```', 'a', 'b', '```', '| x |', '|---|']],
    ['paragraphs of a text without blocks', 'one\n \ntwo', ['one', 'two']],
  ])('are %s', (_, text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  it('of nothing are none', () => {
    expect(sentencesOf('')).toEqual(['']);
  });
});
