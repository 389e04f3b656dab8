import { describe, expect, it } from '@jest/globals';
import { openHyphen } from '../layout/join-lines.js';
import { HyphenatedWords } from './hyphenated-words.js';

function mend(text: string, ...others: readonly string[]): string {
  const words = new HyphenatedWords();
  for (const other of others) words.note(other);
  return words.mend(text.replaceAll('|', openHyphen));
}

describe('HyphenatedWords', () => {
  it('joins the parts of a word', () => {
    expect(mend('a har|bour and a light|house')).toBe('a harbour and a lighthouse');
  });

  it('keeps the hyphen of a word that has it elsewhere', () => {
    expect(mend('a well|known place', 'It is Well-known.')).toBe('a well-known place');
  });

  it('joins a word that stands elsewhere with and without it', () => {
    expect(mend('an e|mail', 'e-mail', 'email')).toBe('an email');
  });

  it('learns nothing from words that are parted themselves', () => {
    expect(mend('a har|bour', `a har${openHyphen}bour`)).toBe('a harbour');
  });

  it('joins a word that is parted twice', () => {
    expect(mend('an ex|traordi|nary word')).toBe('an extraordinary word');
  });
});
