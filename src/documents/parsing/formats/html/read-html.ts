import { writingDecoded } from '../decoded-writing.js';
import { Omissions } from '../../writing/omissions.js';
import { writePieces } from '../../writing/pieces.js';
import { htmlEncoding } from './html-encoding.js';
import { readPage } from './read-page.js';

/** A web page: its main text with its structure. What it is called is its heading where it has none of the first level. */
export const readHtml = writingDecoded((text, out) => {
  const omissions = new Omissions();
  const page = readPage(text, omissions, { isXhtml: /^\s*<\?xml\b/.test(text) });
  const hasTop = page.pieces.some((piece) => piece.kind === 'heading' && piece.level === 1);
  if (!hasTop && page.pieces.length > 0) out.heading(1, page.title);
  writePieces(page.pieces, out);
  omissions.tell(out);
}, htmlEncoding);
