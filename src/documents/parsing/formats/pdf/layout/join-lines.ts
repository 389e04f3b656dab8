import type { Line } from './line.js';

/** Stands where a line ended with a hyphen and a small letter follows: whether the hyphen belongs to the word is told later. */
export const openHyphen = '\u00ad';

const hyphenAtEnd = /\p{L}[-‐]$/u;
const wide = /[\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\p{Script=Han}]/u;
/** What no blank follows at the end of a line. */
const tied = /(?:[^\s][-‐–/]|@)$/u;

/** Two texts that follow each other on different lines, as one. */
export function joinTexts(text: string, next: string): string {
  if (text === '' || next === '') return text + next;
  const end = text.slice(-3);
  if (hyphenAtEnd.test(end)) return /^\p{Ll}/u.test(next) ? text.slice(0, -1) + openHyphen + next : text + next;
  if (tied.test(end)) return text + next;
  const last = [...end].at(-1) ?? '';
  const first = String.fromCodePoint(next.codePointAt(0) ?? 32);
  return wide.test(last) || wide.test(first) ? text + next : `${text} ${next}`;
}

/** Lines of one text, as one. */
export function joinLines(lines: readonly Pick<Line, 'text'>[]): string {
  return lines.reduce((text, line) => joinTexts(text, line.text), '');
}
