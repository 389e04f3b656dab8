import type { Note, NoteKind, NoteSource } from './notes.js';

/** Notes whose text stands where they are mentioned: given out once each, in their order. */
export class NoteQueue implements NoteSource {
  private readonly waiting: Record<NoteKind, Note[]> = { footnote: [], endnote: [] };

  add(kind: NoteKind, note: Note): void {
    this.waiting[kind].push(note);
  }

  take(kind: NoteKind): readonly Note[] {
    return this.waiting[kind].splice(0);
  }
}
