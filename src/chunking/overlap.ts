import { sentenceEnds } from './breaks/sentence-ends.js';
import type { Piece } from './piece.js';
import type { Range, Room, SourceText } from './source-text.js';

const mostTries = 3;

/**
 * Where the chunk of a piece begins when it repeats the end of the piece before it: at a sentence if one begins within
 * `tokens`, else at a word, else at a character; at the piece itself if nothing fits, or if it begins with a heading.
 *
 * @param room of the chunk with its overlap.
 */
export function overlapStart(source: SourceText, before: Piece, piece: Piece, tokens: number, room: Room): number {
  if (tokens === 0 || beginsWithHeading(source, piece.start)) return piece.start;
  const budget = Math.min(tokens, room.tokens - source.tokens.count(piece.start, piece.end));
  const from = furthestStart(source, before, piece, tokens, room);
  const fits = (start: number): boolean =>
    start >= from &&
    start < piece.start &&
    source.tokens.count(start, piece.start) <= budget &&
    source.fits({ start, end: piece.end }, room) &&
    source.isCut(before.start, start);
  for (const candidate of candidates(source, before, { start: from, end: piece.start }, budget)) {
    const { start } = source.trim({ start: candidate, end: piece.end });
    if (fits(start)) return start;
  }
  return piece.start;
}

/** Never the whole piece before; of a text with few tokens for many characters no more than the same share. */
function furthestStart({ points }: SourceText, before: Piece, piece: Piece, tokens: number, room: Room): number {
  const share = Math.ceil((room.chars * tokens) / room.tokens);
  const free = room.chars - points.count(piece.start, piece.end);
  const first = points.pointAt(piece.start) - Math.min(share, free);
  return Math.max(points.advance(before.start, 1), points.unitAt(Math.max(0, first)));
}

/** Places to begin at, the best first. */
function* candidates(source: SourceText, before: Piece, { start, end }: Range, budget: number): Generator<number> {
  const word = source.tokens.fitBack(start, end, budget);
  const ends = sentenceEnds(source.text, source.outline, { start: before.start, end });
  yield ends.find((place) => place >= word) ?? word;
  yield word;
  // The parts of a cut word can have more tokens together than apart.
  for (let less = 0; less < mostTries && less < budget; less += 1) {
    yield characterStart(source, { start, end }, budget - less);
  }
}

/** The first character of a range from which no more than a number of tokens follow, inside a word. */
function characterStart({ points, tokens }: SourceText, { start, end }: Range, budget: number): number {
  const last = points.pointAt(end);
  let fitting = 0;
  let tooLong = points.count(start, end) + 1;
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >>> 1;
    if (tokens.count(points.unitAt(last - middle), end) <= budget) fitting = middle;
    else tooLong = middle;
  }
  return points.unitAt(last - fitting);
}

function beginsWithHeading({ outline }: SourceText, start: number): boolean {
  const unit = outline.units[outline.indexAt(start)];
  return unit?.type === 'heading' && start <= unit.contentStart;
}

/** Ranges of pieces with their overlaps. */
export function withOverlaps(source: SourceText, pieces: readonly Piece[], tokens: number, room: Room): Range[] {
  return pieces.map((piece, index) => {
    const before = pieces[index - 1];
    return before ? { start: overlapStart(source, before, piece, tokens, room), end: piece.end } : piece;
  });
}
