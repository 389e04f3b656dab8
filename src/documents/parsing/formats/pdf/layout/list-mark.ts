/** What marks the item of a list, and the text behind it. */
export interface ListMark {
  readonly kind: 'bullet' | 'number' | 'letter';
  /** Of numbers and letters, from 1. */
  readonly value: number;
  /** As it stands in the text. */
  readonly mark: string;
  readonly rest: string;
}

const bullet = /^([•◦▪▫‣⁃●○■□◆◇➢➤✓✔❖❑·*–-])\s+(?=\S)/u;
const number = /^(\d{1,3})[.)](?:\s+(?=\S)|(?=\p{Script=Han}))/u;
const bracketed = /^(?:\((\d{1,3})\)|（(\d{1,3})）|(\d{1,3})、)\s*(?=\S)/;
const letter = /^\(?([a-zA-Z])[.)]\s+(?=\S)/;
const roman = /^\(?([ivx]{2,5})[.)]\s+(?=\S)/i;
const romanValues: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };

/** The mark that a text begins with, if it may be the item of a list. */
export function parseMark(text: string): ListMark | undefined {
  const found =
    match(text, bullet, 'bullet', () => 1) ??
    match(text, number, 'number', Number) ??
    match(text, bracketed, 'letter', Number) ??
    match(text, letter, 'letter', (value) => value.toLowerCase().charCodeAt(0) - 96) ??
    match(text, roman, 'letter', romanValue);
  return found;
}

function match(
  text: string,
  pattern: RegExp,
  kind: ListMark['kind'],
  valueOf: (mark: string) => number,
): ListMark | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const value = valueOf(found.slice(1).find((group) => group !== undefined) ?? '');
  return { kind, value, mark: found[0].trim(), rest: text.slice(found[0].length) };
}

/** The value of a Roman number below forty. */
function romanValue(text: string): number {
  const values = [...text.toLowerCase()].map((digit) => romanValues[digit] ?? 0);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}
