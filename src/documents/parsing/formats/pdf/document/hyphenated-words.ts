import { openHyphen } from '../layout/join-lines.js';

/** Enough words of a book; each costs some ten bytes. */
const mostWords = 300_000;
const word = /[\p{L}\p{M}]+(?:[-‐][\p{L}\p{M}]+)*/gu;
const parted = new RegExp(`([\\p{L}\\p{M}‐-]+)${openHyphen}([\\p{L}\\p{M}]+)`, 'gu');

/**
 * Tells whether a hyphen at the end of a line belongs to its word: it does where the word stands with it elsewhere in
 * the document and not without it.
 */
export class HyphenatedWords {
  private readonly words = new Set<string>();

  /** Learns the words of a text. */
  note(text: string): void {
    if (this.words.size >= mostWords) return;
    // Halves of parted words are no words.
    for (const [found] of text.replaceAll(parted, ' ').matchAll(word)) this.words.add(found.toLowerCase());
  }

  /** A text whose parted words are whole again. */
  mend(text: string): string {
    if (!text.includes(openHyphen)) return text;
    const mended = text.replace(parted, (_, before: string, after: string) => {
      const [with_, without] = [`${before}-${after}`, `${before}${after}`];
      return this.words.has(with_.toLowerCase()) && !this.words.has(without.toLowerCase()) ? with_ : without;
    });
    return mended.replaceAll(openHyphen, '');
  }
}
