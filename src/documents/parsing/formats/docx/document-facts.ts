import type { Piece } from '../../writing/pieces.js';
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
  /** What charts and diagrams of the body say, by the relation that leads to them. */
  readonly drawn: ReadonlyMap<string, readonly Piece[]>;
}
