import type { BlockType } from '../../domain/text/block.js';
import type { Outline } from '../outline/outline.js';
import type { Range } from '../source-text.js';
import { isBlankAt, skipBlanks } from '../text/blanks.js';

const lineFeed = 10;
/** Ends a sentence if a blank follows. */
const spaced = 1;
/** Ends a sentence whatever follows. */
const final = 2;
/** Belongs to the sentence that ends before it. */
const closing = 3;

const marks: readonly (readonly [kind: number, characters: string])[] = [
  [spaced, '.!?…؟۔'],
  [final, '。！？｡．‼⁇⁈⁉।॥։።။៕᠃'],
  [closing, '"\')]}»”’」』）】》〉＂＇*_`'],
];

/** Abbreviations that a sentence goes on after. */
const abbreviations = new Set(
  (
    'mr mrs ms dr prof st sr jr vs etc e.g i.e fig figs eq no nos vol vols ch sec inc ltd co corp approx dept est al cf p pp ' +
    'ed eds rev gen col capt lt sgt rep sen hon art par ref jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri'
  ).split(' '),
);
const longestAbbreviation = 10;
const lineTypes: ReadonlySet<BlockType> = new Set(['code', 'table', 'html', 'frontMatter']);

let kinds: Uint8Array | undefined;

/**
 * Where sentences end in a range, in order. The end of a block always ends a sentence; in tables, code and the like
 * every line is one. Full stops of abbreviations, initials, numbers and list marks end nothing.
 */
export function sentenceEnds(text: string, outline: Outline, range: Range): number[] {
  const ends: number[] = [];
  let place = range.start;
  for (const unit of outline.unitsIn(range.start, range.end)) {
    const start = Math.max(unit.contentStart, place);
    const end = Math.min(unit.contentEnd, range.end);
    if (start > place) findInProse(text, place, start, ends);
    if (lineTypes.has(unit.type)) findLines(text, start, end, ends);
    else findInProse(text, start, end, ends);
    add(ends, end);
    place = end;
  }
  if (place < range.end) findInProse(text, place, range.end, ends);
  while ((ends.at(-1) ?? -1) >= range.end) ends.pop();
  return ends;
}

function add(ends: number[], end: number): void {
  if (end > (ends.at(-1) ?? -1)) ends.push(end);
}

function findLines(text: string, start: number, end: number, ends: number[]): void {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === lineFeed) add(ends, at);
}

function findInProse(text: string, start: number, end: number, ends: number[]): void {
  kinds ??= kindsOfUnits();
  let at = start;
  while (at < end) {
    const unit = text.charCodeAt(at);
    const kind = kinds[unit] ?? 0;
    if (kind === spaced || kind === final) {
      const after = skipMarks(text, at + 1, end, kinds);
      if (endsSentence(text, start, at, after, end, kind)) add(ends, after);
      at = after;
    } else {
      if (unit === lineFeed && isParagraphEnd(text, at, end)) add(ends, at);
      at += 1;
    }
  }
}

function skipMarks(text: string, start: number, end: number, kindOf: Uint8Array): number {
  let at = start;
  while (at < end && kindOf[text.charCodeAt(at)] !== 0) at += 1;
  return at;
}

function isParagraphEnd(text: string, at: number, end: number): boolean {
  for (let next = at + 1; next < end; next += 1) {
    if (text.charCodeAt(next) === lineFeed) return true;
    if (!isBlankAt(text, next)) return false;
  }
  return false;
}

function endsSentence(text: string, start: number, at: number, after: number, end: number, kind: number): boolean {
  if (kind === final) return text[at] !== '．' || !isDigit(text.charCodeAt(after));
  if (after >= end) return true;
  if (!isBlankAt(text, after)) return text.charCodeAt(after) >= 0x2e80 && !isDigit(text.charCodeAt(at - 1));
  if (goesOn(text, after, end)) return false;
  return text[at] !== '.' || text[at + 1] === '.' || !isAbbreviated(text, start, at);
}

/** A sentence does not begin with a small letter. */
function goesOn(text: string, after: number, end: number): boolean {
  const next = skipBlanks(text, after, Math.min(end, after + 100));
  const unit = text.charCodeAt(next);
  if (unit < 0x80) return unit >= 0x61 && unit <= 0x7a;
  return /^\p{Ll}/u.test(text.slice(next, next + 2));
}

/** True if the full stop at `at` belongs to an abbreviation, an initial, or the number of a list item. */
function isAbbreviated(text: string, start: number, at: number): boolean {
  let from = at;
  const least = Math.max(start, at - longestAbbreviation - 1);
  while (from > least && !isBlankAt(text, from - 1) && !'("[“‘*_'.includes(text[from - 1] ?? '')) from -= 1;
  const word = text.slice(from, at);
  if (word.length > longestAbbreviation) return false;
  if (/^\d+$/.test(word)) return from === start || text.charCodeAt(from - 1) === lineFeed;
  return /^\p{Lu}$/u.test(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word) || abbreviations.has(word.toLowerCase());
}

function isDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0xff10 && unit <= 0xff19);
}

function kindsOfUnits(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [kind, characters] of marks) for (const character of characters) table[character.charCodeAt(0)] = kind;
  return table;
}
