import { Char, isBlankChar, skipBlanks } from './line-cursor.js';

/** What ends a block of HTML: a blank line, or the line that holds a mark. */
export type HtmlEnd = 'blank' | RegExp;

/** A block of HTML: how it ends, and whether it may stand right under a paragraph's line. */
export interface HtmlStart {
  readonly end: HtmlEnd;
  readonly mayInterrupt: boolean;
}

const rawEnd = /<\/(?:script|pre|style|textarea)>/gi;
const marks: readonly (readonly [string, RegExp])[] = [
  ['<!--', /-->/g],
  ['<?', /\?>/g],
  ['<![CDATA[', /\]\]>/g],
];
const declarationEnd = />/g;
const declaration = /<![A-Za-z]/y;
const tagName = /<(\/?)([A-Za-z][A-Za-z0-9-]*)/y;
const rawNames = new Set(['script', 'pre', 'style', 'textarea']);
// The block-level names of CommonMark 0.31.
const blockNames = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li ' +
    'link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th ' +
    'thead title tr track ul'
  ).split(' '),
);

/** The block of HTML that begins at `at`, or undefined. */
export function htmlAt(text: string, at: number, end: number): HtmlStart | undefined {
  if (text.charCodeAt(at) !== Char.Less) return undefined;
  for (const [mark, markEnd] of marks) {
    if (text.startsWith(mark, at)) return { end: markEnd, mayInterrupt: true };
  }
  declaration.lastIndex = at;
  if (declaration.test(text)) return { end: declarationEnd, mayInterrupt: true };
  tagName.lastIndex = at;
  const [tag = '', closing = '', name = ''] = tagName.exec(text) ?? [];
  return tag === '' ? undefined : tagStart(text, at + tag.length, end, closing !== '', name.toLowerCase());
}

function tagStart(text: string, at: number, end: number, isClosing: boolean, name: string): HtmlStart | undefined {
  const next = at < end ? text.charCodeAt(at) : -1;
  const isOver = next === -1 || isBlankChar(next) || next === Char.Greater;
  if (isOver && !isClosing && rawNames.has(name)) return { end: rawEnd, mayInterrupt: true };
  if ((isOver || text.startsWith('/>', at)) && blockNames.has(name)) return { end: 'blank', mayInterrupt: true };
  if (rawNames.has(name) && !isClosing) return undefined;
  const after = isClosing ? skipBlanks(text, at, end) : skipAttributes(text, at, end);
  const isWhole = text.charCodeAt(after) === Char.Greater && skipBlanks(text, after + 1, end) === end && after < end;
  return isWhole ? { end: 'blank', mayInterrupt: false } : undefined;
}

/** The place where an opening tag's `>` has to be, or `end` if its attributes are not well formed. */
function skipAttributes(text: string, from: number, end: number): number {
  let at = from;
  for (;;) {
    const name = skipBlanks(text, at, end);
    if (name < end && text.charCodeAt(name) === Char.Slash) return name + 1;
    if (name === end || text.charCodeAt(name) === Char.Greater) return name;
    if (name === at) return end;
    const after = skipName(text, name, end);
    if (after === name) return end;
    const equals = skipBlanks(text, after, end);
    if (equals === end || text.charCodeAt(equals) !== Char.Equals) {
      at = after;
      continue;
    }
    const value = skipValue(text, skipBlanks(text, equals + 1, end), end);
    if (value === undefined) return end;
    at = value;
  }
}

const nameStart = /[A-Za-z_:]/;
const nameChar = /[A-Za-z0-9_.:-]/;
const noValueChar = /[\s"'<=>`]/;

function skipName(text: string, from: number, end: number): number {
  if (!nameStart.test(text.charAt(from))) return from;
  let at = from + 1;
  while (at < end && nameChar.test(text.charAt(at))) at += 1;
  return at;
}

function skipValue(text: string, from: number, end: number): number | undefined {
  const quote = text.charCodeAt(from);
  let at = from;
  if (quote === Char.Quote || quote === Char.Apostrophe) {
    do at += 1;
    while (at < end && text.charCodeAt(at) !== quote);
    return at < end ? at + 1 : undefined;
  }
  while (at < end && !noValueChar.test(text.charAt(at))) at += 1;
  return at > from ? at : undefined;
}

/** Finds marks in a text, each stretch of it at most once per mark, whatever the order of the questions. */
export class MarkFinder {
  private readonly known = new Map<RegExp, { from: number; at: number }>();

  constructor(private readonly text: string) {}

  /** Where the first `mark` at or after `from` begins, or −1. `mark` has the flag `g`. */
  find(mark: RegExp, from: number): number {
    const known = this.known.get(mark);
    if (known && known.from <= from && (known.at === -1 || known.at >= from)) return known.at;
    mark.lastIndex = from;
    const at = mark.exec(this.text)?.index ?? -1;
    this.known.set(mark, { from, at });
    return at;
  }
}
