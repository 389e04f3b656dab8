import { isBlankAt } from './blanks.js';

const blank = 0;
const visible = 1;
/** Part of a pair, or alone: the text itself has to be looked at. Its lowest bit counts as visible. */
const surrogate = 3;
/** Small enough to stay in the cache of a core. */
const windowLength = 16_384;

/** Under it filling the buffer costs more than it saves. */
const shortest = 64;

interface Counting {
  readonly kinds: Uint8Array;
  readonly bytes: Buffer;
  readonly units: Uint16Array;
}
let counting: Counting | undefined;

/** Code points in `[start, end)` that are not blank. Reads units from a buffer, which is several times as fast. */
export function countVisible(text: string, start: number, end: number): number {
  if (end - start < shortest) return countOneByOne(text, start, end);
  counting ??= prepare();
  let count = 0;
  for (let from = start; from < end; from += windowLength)
    count += countWindow(counting, text, from, Math.min(from + windowLength, end));
  return count;
}

function countWindow({ kinds, bytes, units }: Counting, text: string, start: number, end: number): number {
  bytes.write(text.slice(start, end), 0, 'utf16le');
  const length = end - start;
  let count = 0;
  let seen = 0;
  for (let unit = 0; unit < length; unit += 1) {
    const kind = kinds[units[unit] as number] as number;
    count += kind & visible;
    seen |= kind;
  }
  return seen === surrogate ? countOneByOne(text, start, end) : count;
}

function countOneByOne(text: string, start: number, end: number): number {
  let count = 0;
  for (let unit = start; unit < end; unit += 1) if (!isBlankAt(text, unit) && !isSecondHalf(text, unit)) count += 1;
  return count;
}

function isSecondHalf(text: string, unit: number): boolean {
  const code = text.charCodeAt(unit);
  return code >= 0xdc00 && code <= 0xdfff && unit > 0 && (text.codePointAt(unit - 1) ?? 0) > 0xffff;
}

function prepare(): Counting {
  const kinds = Uint8Array.from({ length: 0x10000 }, (_, code) => {
    if (code >= 0xd800 && code <= 0xdfff) return surrogate;
    return isBlankAt(String.fromCharCode(code), 0) ? blank : visible;
  });
  const bytes = Buffer.alloc(windowLength * 2);
  return { kinds, bytes, units: new Uint16Array(bytes.buffer, bytes.byteOffset, windowLength) };
}
