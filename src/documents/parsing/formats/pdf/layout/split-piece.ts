import type { TextPiece } from '../content/page-content.js';

/**
 * A piece cut at the blanks nearest to some places: texts of neighbouring cells can stand so close that they were taken
 * for one. Where letters stand is told from the width of the whole.
 */
export function splitPiece(piece: TextPiece, places: readonly number[]): TextPiece[] {
  const parts: TextPiece[] = [];
  let rest = piece;
  for (const place of places) {
    const width = (rest.right - rest.left) / Math.max(rest.text.length, 1);
    const blank = nearestBlank(rest.text, (place - rest.left) / width);
    if (blank === undefined) continue;
    const cut = rest.left + width * blank;
    parts.push({ ...rest, text: rest.text.slice(0, blank), right: cut });
    rest = { ...rest, text: rest.text.slice(blank + 1), left: cut + width };
  }
  return [...parts, rest];
}

/** More letters than this away, a blank is another one. */
const farthest = 8;

function nearestBlank(text: string, at: number): number | undefined {
  const wanted = Math.round(at);
  for (let away = 0; away <= farthest; away += 1) {
    for (const place of [wanted - away, wanted + away]) {
      if (text[place] === ' ' && place > 0 && place < text.length - 1) return place;
    }
  }
  return undefined;
}
