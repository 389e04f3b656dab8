import { corrupt } from '../../read-limits.js';
import { Omissions } from '../../writing/omissions.js';
import { writing } from '../format.js';
import { omitted } from '../ooxml/omitted.js';
import { BodyWriter } from '../word-processing/body-writer.js';
import { NoteQueue } from '../word-processing/note-queue.js';
import { RtfFonts } from './rtf-fonts.js';
import { RtfReader } from './rtf-reader.js';
import { RtfStyles } from './rtf-styles.js';

/** A Rich Text document, in any code pages. */
export const readRtf = writing(async ({ file }, out) => {
  if (!file.head.includes('{\\rtf')) throw corrupt('it does not begin as Rich Text');
  const omissions = new Omissions();
  const notes = new NoteQueue();
  const body = new BodyWriter(out, notes);
  const reader = new RtfReader({ fonts: new RtfFonts(), styles: new RtfStyles(), notes, omissions }, body);
  const open = reader.read(await file.readAll());
  body.end();
  out.forgetPages();
  if (open > 0) out.warn('FILE_CUT_SHORT', `The file ends before its text does: ${open} of its groups never end.`);
  const { unknownSymbols } = reader.characters;
  if (unknownSymbols > 0) omissions.add(omitted.symbols, { count: unknownSymbols });
  omissions.tell(out);
});
