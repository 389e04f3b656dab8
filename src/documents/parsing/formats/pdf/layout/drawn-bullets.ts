import type { Box, TextPiece } from '../content/page-content.js';

/** In sizes of the text: how large a drawn bullet is, and how far before its text it stands. */
const largest = 0.8;
const nearest = 0.1;
const farthest = 3;
/** Texts on a page that is no drawing. */
const mostPieces = 3_000;

/** Pieces with a bullet before each that has one drawn before it: not all programs take a letter for it. */
export function withDrawnBullets(pieces: readonly TextPiece[], dots: readonly Box[]): readonly TextPiece[] {
  if (pieces.length > mostPieces) return pieces;
  const bullets = dots.flatMap((dot): TextPiece[] => {
    const text = pieces.find((piece) => isBefore(dot, piece));
    if (
      !text ||
      pieces.some((piece) => isOnLine(piece, text) && piece.left < dot.left && piece.right > dot.left - text.size)
    )
      return [];
    return [{ ...text, ...dot, text: '•', top: text.top, bottom: text.bottom, order: text.order - 0.5 }];
  });
  return bullets.length === 0 ? pieces : [...pieces, ...bullets];
}

function isBefore({ left, right, top, bottom }: Box, piece: TextPiece): boolean {
  const gap = piece.left - right;
  const middle = (top + bottom) / 2;
  return (
    right - left < largest * piece.size &&
    gap > nearest * piece.size &&
    gap < farthest * piece.size &&
    middle > piece.top &&
    middle < piece.baseline
  );
}

function isOnLine(piece: TextPiece, other: TextPiece): boolean {
  return Math.abs(piece.baseline - other.baseline) < other.size / 4;
}
