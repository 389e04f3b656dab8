import type { TextPiece } from '../content/page-content.js';
import { lineOf, type Line } from './line.js';

/** Baselines of one line, in sizes of the larger text: of equal texts, and of raised or lowered ones. */
const sameLine = 0.25;
const raisedLine = 0.6;
const raisedSize = 0.85;

interface OpenRow {
  readonly pieces: TextPiece[];
  main: TextPiece;
}

/** Pieces that stand side by side, as lines from top to bottom. */
export function linesOf(pieces: readonly TextPiece[]): Line[] {
  const rows: OpenRow[] = [];
  const sorted = [...pieces].sort((a, b) => a.baseline - b.baseline || a.left - b.left);
  for (const piece of sorted) {
    // A raised or lowered piece can lie nearer to the row before the last.
    const row = rows
      .slice(-3)
      .filter((open) => isBeside(open.main, piece))
      .sort((a, b) => distance(a, piece) - distance(b, piece))[0];
    if (!row) rows.push({ pieces: [piece], main: piece });
    else {
      row.pieces.push(piece);
      if (piece.size > row.main.size * 1.02) row.main = piece;
    }
  }
  const lines = rows.map((row) => lineOf(row.pieces));
  return lines.sort((a, b) => a.baseline - b.baseline || a.left - b.left);
}

function distance({ main }: OpenRow, { baseline }: TextPiece): number {
  return Math.abs(main.baseline - baseline);
}

function isBeside(a: TextPiece, b: TextPiece): boolean {
  const [larger, smaller] = a.size >= b.size ? [a, b] : [b, a];
  const apart = Math.abs(a.baseline - b.baseline);
  if (apart <= sameLine * smaller.size) return true;
  return smaller.size <= raisedSize * larger.size && apart <= raisedLine * larger.size;
}
