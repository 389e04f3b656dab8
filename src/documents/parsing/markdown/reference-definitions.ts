import { Char } from './line-cursor.js';

const label = /\[(?:[^[\]\\]|\\[\s\S]){1,999}\]:/y;
const blanks = /[ \t]*(?:\n[ \t]*)?/y;
const bracketed = /<(?:[^<>\n\\]|\\[^\n])*>/y;
const title = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\)/y;
const lineRest = /[ \t]*(?:\n|$)/y;
const mostParens = 32;

/**
 * Where the link reference definitions that a paragraph begins with end: the start of the first line behind them, or
 * `from` if there are none. `paragraph` is the text of its lines.
 */
export function endOfDefinitions(paragraph: string): number {
  let at = 0;
  for (;;) {
    const after = definitionEnd(paragraph, at);
    if (after === undefined) return at;
    at = after;
  }
}

function definitionEnd(text: string, from: number): number | undefined {
  const labelAt = skip(/[ \t]*/y, text, from) ?? from;
  const labelEnd = skip(label, text, labelAt);
  if (labelEnd === undefined || text.slice(labelAt + 1, labelEnd - 2).trim() === '') return undefined;
  const destination = skip(blanks, text, labelEnd) ?? labelEnd;
  const destinationEnd = skip(bracketed, text, destination) ?? bareDestinationEnd(text, destination);
  if (destinationEnd === destination) return undefined;
  const titleAt = skip(blanks, text, destinationEnd) ?? destinationEnd;
  const titleEnd = titleAt > destinationEnd ? titleEndAt(text, titleAt) : undefined;
  return (titleEnd === undefined ? undefined : skip(lineRest, text, titleEnd)) ?? skip(lineRest, text, destinationEnd);
}

function titleEndAt(text: string, at: number): number | undefined {
  const end = skip(title, text, at);
  return end !== undefined && !/\n[ \t]*\n/.test(text.slice(at, end)) ? end : undefined;
}

/** No blanks and controls; parentheses in pairs, unless escaped. */
function bareDestinationEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  if (text.charCodeAt(from) === Char.Less) return from;
  for (; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char <= ' ') break;
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0 || depth > mostParens) break;
  }
  return depth === 0 || depth < 0 ? Math.min(at, text.length) : from;
}

function skip(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
