import type { Omissions } from '../../writing/omissions.js';
import type { NoteQueue } from '../word-processing/note-queue.js';
import { type RtfFonts } from './rtf-fonts.js';
import { type RtfStyles } from './rtf-styles.js';

/** What is known of a document beside its text. */
export interface RtfFacts {
  readonly fonts: RtfFonts;
  readonly styles: RtfStyles;
  readonly notes: NoteQueue;
  readonly omissions: Omissions;
}
