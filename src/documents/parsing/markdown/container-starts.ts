import { Char, isBlankChar, skipBlanks } from './line-cursor.js';
import { isThematicBreak } from './leaf-starts.js';

/** The marker of a list item: its width in characters, and whether it may stand right under a paragraph's line. */
export interface ItemMarker {
  readonly width: number;
  readonly mayInterrupt: boolean;
}

const mostDigits = 9;

/** The list item that begins at `at`, or undefined. */
export function itemMarkerAt(text: string, at: number, end: number): ItemMarker | undefined {
  const code = text.charCodeAt(at);
  if (code === Char.Dash || code === Char.Star || code === Char.Plus) {
    if (isThematicBreak(text, at, end)) return undefined;
    return markerOf(text, at, at + 1, end, true);
  }
  let i = at;
  while (i < end && isDigit(text.charCodeAt(i))) i += 1;
  const digits = i - at;
  const closing = i < end ? text.charCodeAt(i) : -1;
  if (digits < 1 || digits > mostDigits || (closing !== Char.Dot && closing !== Char.ParenClose)) return undefined;
  return markerOf(text, at, i + 1, end, digits === 1 && code === Char.Zero + 1);
}

function markerOf(text: string, at: number, after: number, end: number, canInterrupt: boolean): ItemMarker | undefined {
  if (after < end && !isBlankChar(text.charCodeAt(after))) return undefined;
  const isEmpty = skipBlanks(text, after, end) === end;
  return { width: after - at, mayInterrupt: canInterrupt && !isEmpty };
}

const longestLabel = 999;

/** Width of the `[^label]:` that begins at `at`, or undefined. */
export function footnoteMarkerAt(text: string, at: number, end: number): number | undefined {
  if (text.charCodeAt(at) !== Char.BracketOpen || text.charCodeAt(at + 1) !== Char.Caret) return undefined;
  const last = Math.min(end, at + 2 + longestLabel);
  for (let i = at + 2; i <= last && i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code === Char.BracketClose) {
      return i > at + 2 && i + 1 < end && text.charCodeAt(i + 1) === Char.Colon ? i + 2 - at : undefined;
    }
    if (code === Char.BracketOpen || isBlankChar(code)) return undefined;
    if (code === Char.Backslash && isEscapable(text.charCodeAt(i + 1))) i += 1;
  }
  return undefined;
}

function isEscapable(code: number): boolean {
  return code === Char.BracketOpen || code === Char.Backslash || code === Char.BracketClose;
}

function isDigit(code: number): boolean {
  return code >= Char.Zero && code <= Char.Nine;
}
