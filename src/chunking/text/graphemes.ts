/** Longest stretch without a certain boundary that is segmented; Intl.Segmenter slows down with the length of a text. */
const longestWindow = 2_048;
const shortWindow = 64;

const carriageReturn = 13;
/** Below it only a line end joins with what stands beside it. */
const firstJoining = 0x300;

const Unset = 0;
/** Stands by itself: between two of these is always a boundary. */
const Plain = 1;
/** Half of a flag. */
const Regional = 2;
/** May join what stands beside it. */
const Joining = 3;

const kinds = new Uint8Array(0x10000);
const kindsBeyond = new Map<number, number>();
const plain = /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}\t\n]$/u;
/** Letters and signs that join all the same: jamo, emoji modifiers, prepended letters, halfwidth sound marks. */
const joiningRanges: readonly (readonly [from: number, to: number])[] = [
  [0x0d4e, 0x0d4e],
  [0x0e33, 0x0e33],
  [0x0eb3, 0x0eb3],
  [0x1100, 0x11ff],
  [0xa960, 0xa97f],
  [0xd7b0, 0xd7ff],
  [0xff9e, 0xff9f],
  [0x111c2, 0x111c3],
  [0x113d1, 0x113d1],
  [0x1193f, 0x11941],
  [0x11a00, 0x11a9f],
  [0x11d46, 0x11d46],
  [0x11f02, 0x11f02],
  [0x16100, 0x1613f],
  [0x16d40, 0x16d7f],
  [0x1f3fb, 0x1f3ff],
];

let segmenter: Intl.Segmenter | undefined;

/**
 * The last boundary between characters, as people see them, in `(start, at]`, or -1 if there is none. `start` has to be
 * a boundary itself. Looks at a few thousand units at most: before a longer cluster it finds none.
 */
export function lastBoundary(text: string, start: number, at: number): number {
  for (let place = at; place > start; place = previousPoint(text, place)) {
    const certain = certainty(text, start, place);
    if (certain === true) return place;
    if (certain === undefined) return segmentBack(text, start, place);
  }
  return -1;
}

/** The first boundary behind `start`, or -1 if the cluster there is longer than anything that is looked at. */
export function firstBoundary(text: string, start: number): number {
  const window = text.slice(start, start + longestWindow);
  const length = segments().segment(window).containing(0)?.segment.length ?? 0;
  return length < window.length || start + length === text.length ? start + length : -1;
}

/** The first boundary at `at` or behind it; in a cluster that is longer than anything looked at, a place far behind. */
export function boundaryFrom(text: string, start: number, at: number): number {
  if (isBoundary(text, start, at)) return at;
  const end = firstBoundary(text, Math.max(lastBoundary(text, start, at), start));
  return end > at ? end : Math.min(at + longestWindow, text.length);
}

/** True if a cut at `at` splits no character as people see them; `start` is a boundary before it. */
export function isBoundary(text: string, start: number, at: number): boolean {
  if (at <= start || at >= text.length) return true;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before < firstJoining && after < firstJoining && before !== carriageReturn) return true;
  return lastBoundary(text, start, at) === at;
}

/** True or false where the two code points decide, undefined where more of the text does. */
function certainty(text: string, start: number, at: number): boolean | undefined {
  if (at >= text.length) return true;
  if (isLowSurrogate(text, at)) return false;
  const before = kindOf(codePointBefore(text, at));
  const after = kindOf(text.codePointAt(at) ?? 0);
  if (before === Regional && after === Regional) return regionalsBefore(text, start, at) % 2 === 0;
  return before !== Joining && after !== Joining ? true : undefined;
}

function regionalsBefore(text: string, start: number, at: number): number {
  let count = 0;
  for (let place = at; place > start && kindOf(codePointBefore(text, place)) === Regional; place -= 2) count += 1;
  return count;
}

function segmentBack(text: string, start: number, at: number): number {
  const least = Math.max(start, at - longestWindow);
  let from = previousPoint(text, at);
  while (from > least && certainty(text, start, from) !== true) from = previousPoint(text, from);
  const certain = from > least && from > start;
  // Where nothing is certain for so long, only a boundary nearby matters, and a few units tell it.
  if (!certain && from > start) from = Math.max(from, at - shortWindow);
  const end = at + String.fromCodePoint(text.codePointAt(at) ?? 0).length;
  const index =
    segments()
      .segment(text.slice(from, end))
      .containing(at - from)?.index ?? 0;
  if (index > 0) return from + index;
  return certain ? from : -1;
}

function segments(): Intl.Segmenter {
  return (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }));
}

function previousPoint(text: string, at: number): number {
  return at - (isLowSurrogate(text, at - 1) ? 2 : 1);
}

/** True for the second half of a pair. */
function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

function codePointBefore(text: string, at: number): number {
  return text.codePointAt(previousPoint(text, at)) ?? 0;
}

function kindOf(codePoint: number): number {
  if (codePoint > 0xffff) {
    let kind = kindsBeyond.get(codePoint);
    if (kind === undefined) kindsBeyond.set(codePoint, (kind = classify(codePoint)));
    return kind;
  }
  const known = kinds[codePoint] ?? Unset;
  return known === Unset ? (kinds[codePoint] = classify(codePoint)) : known;
}

function classify(codePoint: number): number {
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff) return Regional;
  if (joiningRanges.some(([from, to]) => codePoint >= from && codePoint <= to)) return Joining;
  return plain.test(String.fromCodePoint(codePoint)) ? Plain : Joining;
}
