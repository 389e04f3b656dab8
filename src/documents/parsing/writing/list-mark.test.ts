import { describe, expect, it } from '@jest/globals';
import { listMark } from './list-mark.js';

describe('listMark', () => {
  it('leaves letters letters, as other texts may name them', () => {
    expect(listMark('decimal', 3)).toEqual({ number: 3 });
    expect(listMark('lowerAlpha', 2)).toEqual({ label: 'b.' });
    expect(listMark('upperAlpha', 28)).toEqual({ label: 'AB.' });
    expect(listMark('lowerRoman', 1994)).toEqual({ label: 'mcmxciv.' });
    expect(listMark('upperRoman', 4)).toEqual({ label: 'IV.' });
  });

  it('counts in digits where letters have no number', () => {
    expect(listMark('upperRoman', 0)).toEqual({ number: 0 });
    expect(listMark('lowerRoman', 5_000)).toEqual({ number: 5_000 });
    expect(listMark('decimal', -1)).toEqual({});
  });
});
