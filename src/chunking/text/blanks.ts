/** What a reader does not see: blanks, control and format characters. Texts of these only need no chunk. */
const blank = /^[\s\p{Z}\p{Cc}\p{Cf}]$/u;
/** Blanks between words; other characters that cannot be seen stand inside words. */
const space = /^[\s\p{Z}\u200b]$/u;

const visible = 1;
const betweenWords = 2;
const insideWords = 3;
/** First half of pairs of which some are blank. */
const mixed = 4;
const kinds = new Uint8Array(0x10000);

const lineFeed = 10;
/** More indentation than this says nothing about the structure any more. */
const longestIndent = 100;

/** True if the unit, or the code point it is part of, is blank. */
export function isBlankAt(text: string, unit: number): boolean {
  const code = text.charCodeAt(unit);
  const kind = kinds[code] || classify(code);
  return kind !== visible && (kind !== mixed || isBlankPair(text, unit, code));
}

/** The last blank between words in `[start, end)`, or -1. */
export function lastSpace(text: string, start: number, end: number): number {
  let unit = end - 1;
  while (unit >= start && (kinds[text.charCodeAt(unit)] || classify(text.charCodeAt(unit))) !== betweenWords) unit -= 1;
  return unit >= start ? unit : -1;
}

/** The first unit in `[start, end)` that is not blank, or `end`. */
export function skipBlanks(text: string, start: number, end: number): number {
  let unit = start;
  while (unit < end && isBlankAt(text, unit)) unit += 1;
  return unit;
}

/** The end of what is not blank in `[start, end)`, or `start`. */
export function dropBlanks(text: string, start: number, end: number): number {
  let unit = end;
  while (unit > start && isBlankAt(text, unit - 1)) unit -= 1;
  return unit;
}

/** Like {@link skipBlanks}, but keeps the indentation of the first line that has something. */
export function skipBlankLines(text: string, start: number, end: number): number {
  const visible = skipBlanks(text, start, end);
  if (visible === end) return end;
  let unit = visible;
  while (unit > start && visible - unit <= longestIndent && text.charCodeAt(unit - 1) !== lineFeed) unit -= 1;
  const atLineStart = unit === 0 || text.charCodeAt(unit - 1) === lineFeed;
  return atLineStart ? unit : visible;
}

function classify(code: number): number {
  const kind = kindOf(code);
  kinds[code] = kind;
  return kind;
}

function kindOf(code: number): number {
  if (code >= 0xdc00 && code <= 0xdfff) return mixed;
  if (code >= 0xd800 && code <= 0xdbff) return somePairIsBlank(code) ? mixed : visible;
  const character = String.fromCharCode(code);
  if (space.test(character)) return betweenWords;
  return blank.test(character) ? insideWords : visible;
}

function somePairIsBlank(high: number): boolean {
  for (let low = 0xdc00; low <= 0xdfff; low += 1) if (blank.test(String.fromCharCode(high, low))) return true;
  return false;
}

/** @param code of the unit, which may be either half. */
function isBlankPair(text: string, unit: number, code: number): boolean {
  const first = code >= 0xdc00 ? unit - 1 : unit;
  const high = text.charCodeAt(first);
  if (!(high >= 0xd800 && high <= 0xdbff) || (kinds[high] || classify(high)) === visible) return false;
  return blank.test(String.fromCodePoint(text.codePointAt(first) ?? 0));
}
