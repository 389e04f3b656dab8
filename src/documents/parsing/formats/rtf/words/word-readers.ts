import { characterWords } from './character-words.js';
import { destinationWords } from './destination-words.js';
import { equationWords } from './equation-words.js';
import { noteWords } from './note-words.js';
import { paragraphWords } from './paragraph-words.js';
import type { WordReader } from './word-reader.js';

/** Words that mean something to a text; all others are passed over. */
export const wordReaders: ReadonlyMap<string, WordReader> = new Map(
  [characterWords, paragraphWords, destinationWords, noteWords, equationWords].flatMap((words) =>
    Object.entries(words),
  ),
);
