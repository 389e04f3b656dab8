import type { Omissions } from '../../writing/omissions.js';
import type { ListCounters } from './list-counters.js';
import type { NoteBook } from './note-book.js';
import type { Numbering } from './numbering.js';
import type { Styles } from './styles.js';

/** What all texts of a document share. */
export interface DocumentFacts {
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly counters: ListCounters;
  readonly notes: NoteBook;
  readonly omissions: Omissions;
}
