import type { Piece } from '../../writing/pieces.js';

interface Row {
  readonly isHeader: boolean;
  readonly cells: readonly { readonly content: { readonly pieces: readonly Piece[] } }[];
}

/** Whether a table is a frame around something, or columns of text side by side: what is in it stands for itself. */
export function isLayout(rows: readonly Row[]): boolean {
  if (rows.some(({ isHeader }) => isHeader)) return false;
  const isSingle = rows.every(({ cells }) => cells.filter(({ content }) => content.pieces.length > 0).length <= 1);
  return isSingle || rows.some(({ cells }) => cells.some(({ content }) => content.pieces.some(isPartOfDocument)));
}

function isPartOfDocument({ kind }: Piece): boolean {
  return kind === 'heading' || kind === 'code';
}
