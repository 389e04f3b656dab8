import type { ShownMark } from '../word-processing/piece-of.js';

const deepest = 20;
const plainNumber = /^[[(]?(\d{1,9})[.)\]:、．]?$/u;

/** The mark of an item as the document writes it: a number that Markdown can write itself, another mark, or a bullet. */
export function shownMark(mark: string, level: number): ShownMark {
  const label = mark.trim();
  const depth = Math.min(Math.max(level, 0) + 1, deepest);
  const number = plainNumber.exec(label)?.[1];
  if (number !== undefined) return { depth, label, number: Number(number) };
  return { depth, label: /[\p{L}\p{N}]/u.test(label) && !/^[o§]$/.test(label) ? label : '' };
}
