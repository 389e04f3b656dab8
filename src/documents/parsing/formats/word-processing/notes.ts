export type NoteKind = 'footnote' | 'endnote';

/** A note with the mark that leads to it. */
export interface Note {
  readonly label: string;
  readonly text: string;
}

/** Gives out the notes that were come to since they were last taken. */
export interface NoteSource {
  take(kind: NoteKind): readonly Note[];
}
