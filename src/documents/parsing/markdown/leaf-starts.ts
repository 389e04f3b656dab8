import { Char, isBlankChar, skipBlanks, trimBlanks } from './line-cursor.js';

/** Level of the `#` heading that begins at `at`, or undefined. */
export function atxLevel(text: string, at: number, end: number): number | undefined {
  const level = runLength(text, at, end, Char.Hash);
  if (level < 1 || level > 6) return undefined;
  return at + level === end || isBlankChar(text.charCodeAt(at + level)) ? level : undefined;
}

/** What closes a fence: at least `length` of `marker`. */
export interface Fence {
  readonly marker: number;
  readonly length: number;
}

/** The fence that is opened at `at`, or undefined. */
export function fenceAt(text: string, at: number, end: number): Fence | undefined {
  const marker = text.charCodeAt(at);
  if (marker !== Char.Backtick && marker !== Char.Tilde) return undefined;
  const length = runLength(text, at, end, marker);
  if (length < 3) return undefined;
  if (marker === Char.Backtick && hasChar(text, at + length, end, Char.Backtick)) return undefined;
  return { marker, length };
}

/** True if the rest of a line is nothing but an end of `fence`. */
export function closesFence(fence: Fence, text: string, at: number, end: number): boolean {
  const length = runLength(text, at, end, fence.marker);
  return length >= fence.length && skipBlanks(text, at + length, end) === end;
}

/** Three or more `*`, `-` or `_`, with blanks anywhere between them and nothing else. */
export function isThematicBreak(text: string, at: number, end: number): boolean {
  const marker = text.charCodeAt(at);
  if (marker !== Char.Star && marker !== Char.Dash && marker !== Char.Underscore) return false;
  // The end tells most lines apart without reading them: a list asks this again for every mark on its line.
  if (text.charCodeAt(trimBlanks(text, at, end) - 1) !== marker) return false;
  let count = 0;
  for (let i = at; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code === marker) count += 1;
    else if (!isBlankChar(code)) return false;
  }
  return count >= 3;
}

/** Level of the heading that a line of `=` or `-` makes of the paragraph before it, or undefined. */
export function setextLevel(text: string, at: number, end: number): 1 | 2 | undefined {
  const marker = text.charCodeAt(at);
  if (marker !== Char.Equals && marker !== Char.Dash) return undefined;
  if (skipBlanks(text, at + runLength(text, at, end, marker), end) !== end) return undefined;
  return marker === Char.Equals ? 1 : 2;
}

function runLength(text: string, at: number, end: number, code: number): number {
  let i = at;
  while (i < end && text.charCodeAt(i) === code) i += 1;
  return i - at;
}

function hasChar(text: string, at: number, end: number, code: number): boolean {
  for (let i = at; i < end; i += 1) if (text.charCodeAt(i) === code) return true;
  return false;
}
