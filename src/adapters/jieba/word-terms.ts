/** More parts than this is no identifier but a list, a dump or a ruler. */
const mostParts = 8;
const longestWhole = 64;
const seam = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * The terms of a word: itself, and where it is an identifier its parts and the whole without the joints, so that
 * `strategySnapshot`, `strategy_snapshot` and `strategy-snapshot` find each other.
 */
export function wordTerms(word: string): string[] {
  const pieces = word.split(/[-_]+/).flatMap(caseParts);
  const whole = word.replace(/[-_]+/g, '');
  if (pieces.length === 1 || pieces.length > mostParts || whole.length > longestWhole) return pieces;
  return [...pieces, whole];
}

function caseParts(piece: string): string[] {
  const split = piece.split(seam);
  return split.length > mostParts ? [piece] : split;
}
