import type { TextPiece } from '../documents/parsing/formats/pdf/content/page-content.js';
import { linesOf } from '../documents/parsing/formats/pdf/layout/rows.js';
import type { Line } from '../documents/parsing/formats/pdf/layout/line.js';

/** Width of a letter, in sizes. */
const letterWidth = 0.5;

/** A text at a place, with letters that are half as wide as they are tall. */
export function pieceAt(left: number, baseline: number, text: string, more: Partial<TextPiece> = {}): TextPiece {
  const size = more.size ?? 10;
  const right = more.right ?? left + letterWidth * size * text.length;
  const box = { left, right, top: baseline - 0.75 * size, bottom: baseline + 0.25 * size };
  return { text, baseline, size, weight: 0, isMono: false, isArtifact: false, order: 0, ...box, ...more };
}

/** Pieces in the order in which they are given, as they would be painted. */
export function painted(pieces: readonly TextPiece[]): TextPiece[] {
  return pieces.map((piece, order) => ({ ...piece, order }));
}

/** Lines of text below each other. */
export function linesAt(
  left: number,
  top: number,
  texts: readonly string[],
  more: Partial<TextPiece> & { pitch?: number } = {},
): Line[] {
  const { pitch = 12, ...rest } = more;
  return linesOf(texts.map((text, i) => pieceAt(left, top + pitch * i, text, rest)));
}
