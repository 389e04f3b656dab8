import type { XmlAttributes } from '../../containers/xml-events.js';
import { formatNumber } from '../word-processing/number-format.js';

/** How the items of one level of a list are marked. */
export interface ListLevel {
  /** As the document writes it: `1`, `a`, `I`; empty where there is no number, as of bullets. */
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** Numbers that are shown, its own and those of the levels around it. */
  readonly shown: number;
}

/** The levels of a list by their number from 1. */
export type ListLevels = ReadonlyMap<number, ListLevel>;

export const mostLevels = 20;

const formats: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  一: 'chineseCounting',
  '①': 'decimalEnclosedCircle',
  甲: 'ideographTraditional',
  子: 'ideographZodiac',
};
const plainPrefix = /^[\s([]*$/;
const plainSuffix = /^[\s.)\]:、．]*$/u;

/** Reads the element that describes a level. */
export function listLevel(attributes: XmlAttributes, isCounted: boolean): ListLevel {
  return {
    format: isCounted ? (attributes['style:num-format'] ?? '') : '',
    prefix: attributes['style:num-prefix'] ?? '',
    suffix: attributes['style:num-suffix'] ?? '',
    start: wholeNumber(attributes['text:start-value']) ?? 1,
    shown: Math.min(wholeNumber(attributes['text:display-levels']) ?? 1, mostLevels),
  };
}

/** The mark of an item as it is shown, and its number where Markdown can write that itself. */
export function levelMark(
  levels: ListLevels,
  level: number,
  counts: ReadonlyMap<number, number>,
): { readonly label: string; readonly number?: number } {
  const own = levels.get(level);
  if (!own || own.format === '') return { label: '' };
  const numbers: string[] = [];
  for (let at = Math.max(level - own.shown + 1, 1); at <= level; at += 1) {
    const { format = '', start = 1 } = levels.get(at) ?? {};
    if (format !== '') numbers.push(formatNumber(counts.get(at) ?? start, formats[format.charAt(0)] ?? 'decimal'));
  }
  const label = `${own.prefix}${numbers.join('.')}${own.suffix}`.trim();
  const number = counts.get(level) ?? own.start;
  const isPlain =
    own.format === '1' && numbers.length === 1 && plainPrefix.test(own.prefix) && plainSuffix.test(own.suffix);
  return isPlain && number >= 0 && number < 1e9 ? { label, number } : { label };
}

/** A number without sign; undefined for anything else. */
export function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
