import type { TextPiece } from '../content/page-content.js';
import { raisedText } from './raised-text.js';
import { readingOrder } from './visual-order.js';

/** A line of text within a column. */
export interface Line {
  /** From left to right. */
  readonly pieces: readonly TextPiece[];
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Of most of its letters. */
  readonly size: number;
  /** The least that any word of it has. */
  readonly weight: number;
  readonly isMono: boolean;
}

/** Gaps in sizes: wider than the first parts words, wider than the second parts cells. */
const wordGap = 0.12;
export const cellGap = 1;
const numbers = /^\d{1,3}(?:[,–-]\d{1,3}){0,9}$/;

/** Pieces of one line as a line. There is at least one. */
export function lineOf(unsorted: readonly TextPiece[]): Line {
  const pieces = [...unsorted].sort((a, b) => a.left - b.left || a.order - b.order);
  const main = mainPiece(pieces);
  return {
    pieces,
    text: readingOrder(seenText(pieces, main)).trim(),
    left: Math.min(...pieces.map(({ left }) => left)),
    right: Math.max(...pieces.map(({ right }) => right)),
    baseline: main.baseline,
    size: main.size,
    weight: Math.min(...pieces.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).map(({ weight }) => weight), 2),
    isMono: pieces.every(({ isMono }) => isMono),
  };
}

/** The cells of a line: its pieces, joined where no wide gap parts them. */
export function cellsOf({ pieces, size }: Line): Line[] {
  const cells: TextPiece[][] = [];
  let end = -Infinity;
  for (const piece of pieces) {
    if (piece.left - end > cellGap * size) cells.push([]);
    cells.at(-1)?.push(piece);
    end = Math.max(end, piece.right);
  }
  return cells.map(lineOf);
}

/** The piece whose size and baseline most of the line has. */
function mainPiece(pieces: readonly TextPiece[]): TextPiece {
  const letters = new Map<number, number>();
  for (const { size, text } of pieces) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return pieces.reduce((best, piece) =>
    (letters.get(piece.size) ?? 0) > (letters.get(best.size) ?? 0) ? piece : best,
  );
}

function seenText(pieces: readonly TextPiece[], main: TextPiece): string {
  let text = '';
  let end: number | undefined;
  for (const piece of pieces) {
    const gap = end === undefined ? 0 : piece.left - end;
    if (gap > wordGap * main.size && !text.endsWith(' ')) text += ' ';
    text += isRaised(piece, main) ? raisedText(piece.text) : piece.text;
    end = Math.max(end ?? -Infinity, piece.right);
  }
  return text;
}

/** Small and above the line: the mark of a note, or a power. */
function isRaised(piece: TextPiece, main: TextPiece): boolean {
  return piece.size < 0.85 * main.size && main.baseline - piece.baseline > 0.15 * main.size && numbers.test(piece.text);
}
