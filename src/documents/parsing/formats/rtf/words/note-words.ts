import { proseText } from '../../../writing/pieces.js';
import { roman } from '../../../writing/roman.js';
import type { NoteKind } from '../../word-processing/notes.js';
import { KeptPieces } from '../../word-processing/piece-target.js';
import type { WordReaders } from './word-reader.js';

/** Notes stand where they are mentioned; which kind one is of, it says itself. */
export const noteWords: WordReaders = {
  footnote(reader) {
    const note: { kind: NoteKind } = { kind: 'footnote' };
    const pieces = new KeptPieces();
    const outer = reader.note;
    reader.note = note;
    reader.atEnd(() => {
      reader.note = outer;
      const number = (reader.noteCounts[note.kind] += 1);
      // Word numbers endnotes in roman digits, which keeps the two apart.
      const label = note.kind === 'footnote' ? String(number) : roman(number).toLowerCase() || `e${number}`;
      reader.facts.notes.add(note.kind, { label, text: proseText(pieces.pieces) });
      reader.write(`[^${label}]`);
    });
    reader.enterFlow(pieces);
  },
  ftnalt({ note }) {
    if (note) note.kind = 'endnote';
  },
};
