import type { Omissions } from '../../writing/omissions.js';
import { cellText, type Piece } from '../../writing/pieces.js';
import { readTags } from './html-tags.js';
import type { PagePiece } from './page-flow.js';
import { omitted } from './page-omissions.js';
import { PageReader } from './page-reader.js';

/** What a page says. */
export interface Page {
  readonly pieces: readonly Piece[];
  readonly title: string;
}

export interface PageOptions {
  readonly isXhtml: boolean;
  /** Letters and chapters of books are no pages of a site: nothing in them is navigation. */
  readonly isWhole?: boolean;
  /** Page, where there are several. */
  readonly place?: number;
}

/** With less text than this, what looks like the main text of a page may be nothing of the kind. */
const enoughText = 200;

/** Reads a page: its main text without what is around it, as far as there is any. */
export function readPage(html: string, omissions: Omissions, options: PageOptions): Page {
  const reader = new PageReader(omissions, options.place);
  readTags(html, reader, options.isXhtml);
  reader.finish();
  const all = reader.flow.finish();
  const isKept = options.isWhole ? (): boolean => true : mainText(all);
  for (const piece of all) {
    if (!isKept(piece)) omissions.add(omitted.asides, { text: cellText([piece.piece]) });
  }
  return { pieces: all.filter(isKept).map(({ piece }) => piece), title: reader.title };
}

/**
 * Tells the main text from what is around it: what the page calls so, where it holds most of the text, or else all but
 * navigation, heads and feet. A page that is nothing else is kept whole.
 */
function mainText(pieces: readonly PagePiece[]): (piece: PagePiece) => boolean {
  const sum = (counts: (piece: PagePiece) => boolean): number =>
    pieces.reduce((total, piece) => total + (counts(piece) ? cellText([piece.piece]).length : 0), 0);
  const own = sum(({ within }) => !within.aside);
  const main = sum(({ within }) => within.main && !within.aside);
  if (main >= enoughText && main * 2 >= own) {
    const hasTitle = pieces.some((piece) => piece.within.main && isTitle(piece));
    return (piece) => !piece.within.aside && (piece.within.main || (!hasTitle && isTitle(piece)));
  }
  const hasMain = pieces.some(({ within }) => (within.main || within.article) && !within.aside);
  if (
    hasMain ||
    own >=
      Math.min(
        enoughText,
        sum(({ within }) => within.aside),
      )
  )
    return ({ within }) => !within.aside;
  return () => true;
}

function isTitle({ piece }: PagePiece): boolean {
  return piece.kind === 'heading' && piece.level === 1;
}
