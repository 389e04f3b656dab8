import type { XmlAttributes } from '../../../containers/xml-events.js';
import { proseText } from '../../../writing/pieces.js';
import type { NoteKind } from '../../word-processing/notes.js';
import { KeptPieces } from '../../word-processing/piece-target.js';
import type { Story } from '../story.js';
import type { ElementReader, ElementReaders } from './element-reader.js';

/** Lines between the text and its notes are notes of their own kind. */
const noNote = /separator|notice/i;

const note = (kind: NoteKind): ElementReader => ({
  open(story, attributes) {
    if (noNote.test(attributes['w:type'] ?? '')) story.skip();
    else openNote(story, attributes);
  },
  close(story) {
    const { pieces, id } = story.note ?? { pieces: [], id: '' };
    story.leave();
    story.note = undefined;
    story.facts.notes.keep(kind, id, proseText(pieces));
  },
});

function openNote(story: Story, attributes: XmlAttributes): void {
  const target = new KeptPieces();
  story.note = { id: attributes['w:id'] ?? '', pieces: target.pieces };
  story.enter(target);
}

/** Notes, in the parts that hold all of them. */
export const noteElements: ElementReaders = { 'w:footnote': note('footnote'), 'w:endnote': note('endnote') };
