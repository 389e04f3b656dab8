import type { DocumentWriter } from './document-writer.js';
import { mergedTableText, writeMergedTable } from './merged-table.js';
import type { MergedRow } from './merged-cells.js';

/** How deep a piece stands in quotations. */
interface Quotable {
  readonly quote?: number;
}

/** A piece that was read and waits to be written: what is around it decides where it goes, or whether it does at all. */
export type Piece =
  | ({ readonly kind: 'heading'; readonly level: number; readonly text: string } & Quotable)
  | ({ readonly kind: 'paragraph'; readonly text: string } & Quotable)
  | ({ readonly kind: 'item'; readonly text: string; readonly depth: number; readonly number?: number } & Quotable)
  | { readonly kind: 'caption'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language?: string }
  | { readonly kind: 'footnote'; readonly label: string; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly MergedRow[] }
  | { readonly kind: 'rule' };

/** Writes pieces in their order. Those that are quoted beside each other become one quotation. */
export function writePieces(pieces: Iterable<Piece>, out: DocumentWriter): void {
  let quoted: Piece[] = [];
  let depth = 0;
  const endQuote = (): void => {
    if (quoted.length > 0) out.quote(proseText(quoted), depth);
    quoted = [];
  };
  for (const piece of pieces) {
    const quote = 'quote' in piece ? (piece.quote ?? 0) : 0;
    if (quote !== depth) endQuote();
    depth = quote;
    if (quote > 0) quoted.push(piece);
    else writePiece(piece, out);
  }
  endQuote();
}

function writePiece(piece: Piece, out: DocumentWriter): void {
  switch (piece.kind) {
    case 'heading':
      return out.heading(piece.level, piece.text);
    case 'paragraph':
      return out.paragraph(piece.text);
    case 'item': {
      const { depth, number } = piece;
      return out.listItem(piece.text, { depth, ...(number === undefined ? {} : { number }) });
    }
    case 'caption':
      return out.caption(piece.text);
    case 'code':
      return out.code(piece.text, piece.language);
    case 'footnote':
      return out.footnote(piece.label, piece.text);
    case 'table':
      return writeMergedTable(piece.rows, out);
    case 'rule':
      return out.rule();
  }
}

/** Pieces as paragraphs with blank lines between them, and their lists as lines. */
export function proseText(pieces: readonly Piece[]): string {
  let text = '';
  let previous: Piece | undefined;
  for (const piece of pieces) {
    const words = wordsOf(piece);
    if (words === '') continue;
    const gap = previous?.kind === 'item' && piece.kind === 'item' ? '\n' : '\n\n';
    text += (previous ? gap : '') + (piece.kind === 'item' ? `${markOf(piece)} ${words}` : words);
    previous = piece;
  }
  return text;
}

/** Pieces as the text of a cell: items of lists have semicolons between them. */
export function cellText(pieces: readonly Piece[]): string {
  let text = '';
  let previous: Piece | undefined;
  for (const piece of pieces) {
    const words = wordsOf(piece);
    if (words === '') continue;
    const mark = piece.kind === 'item' && piece.number !== undefined ? `${piece.number}. ` : '';
    const gap = previous?.kind === 'item' && piece.kind === 'item' ? '; ' : '\n';
    text += (previous ? gap : '') + mark + words;
    previous = piece;
  }
  return text;
}

function wordsOf(piece: Piece): string {
  if (piece.kind === 'rule') return '';
  return (piece.kind === 'table' ? mergedTableText(piece.rows) : piece.text).trim();
}

function markOf({ number }: { readonly number?: number }): string {
  return number === undefined ? '-' : `${number}.`;
}
