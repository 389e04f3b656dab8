/** What a reader does not see: blanks, control and format characters. Texts of these only need no chunk. */
const blank = /^[\s\p{Z}\p{Cc}\p{Cf}]$/u;
const unset = 0;
const isBlank = 1;
const isVisible = 2;
const units = new Uint8Array(0x10000);
const lineFeed = 10;
/** More indentation than this says nothing about the structure any more. */
const longestIndent = 100;

/** True if the unit, or the code point it is part of, is blank. */
export function isBlankAt(text: string, unit: number): boolean {
  const code = text.charCodeAt(unit);
  const known = units[code] ?? unset;
  if (known !== unset) return known === isBlank;
  return code >= 0xd800 && code <= 0xdfff ? blank.test(codePointAround(text, unit)) : classify(code);
}

/** The last blank in `[start, end)`, or -1. */
export function lastBlank(text: string, start: number, end: number): number {
  let unit = end - 1;
  while (unit >= start && !isBlankAt(text, unit)) unit -= 1;
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

function classify(code: number): boolean {
  const found = blank.test(String.fromCharCode(code));
  units[code] = found ? isBlank : isVisible;
  return found;
}

function codePointAround(text: string, unit: number): string {
  const before = unit > 0 ? (text.codePointAt(unit - 1) ?? 0) : 0;
  return String.fromCodePoint(before > 0xffff ? before : (text.codePointAt(unit) ?? 0));
}
