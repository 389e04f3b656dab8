import type { RtfReader } from '../rtf-reader.js';

/** What a control word does, with its number if it has one. */
export type WordReader = (reader: RtfReader, number: number | undefined) => void;

export type WordReaders = Readonly<Record<string, WordReader>>;

/** The same reader for several words. */
export function each(words: string, read: WordReader): WordReaders {
  return Object.fromEntries(words.split(' ').map((word) => [word, read]));
}
