import { roman } from './roman.js';

/** How the items of a list are counted. */
export type Numbering = 'decimal' | 'lowerAlpha' | 'upperAlpha' | 'lowerRoman' | 'upperRoman';

/** What a Markdown list shows of the place of an item: a number, or letters as part of its text. */
export interface ListMark {
  readonly number?: number;
  readonly label?: string;
}

/** The mark of the item with this number. Other texts may speak of "(b)", so letters stay letters. */
export function listMark(numbering: Numbering, number: number): ListMark {
  if (!Number.isSafeInteger(number) || number < 0 || number > 999_999_999) return {};
  if (numbering === 'decimal') return { number };
  const isAlpha = numbering === 'lowerAlpha' || numbering === 'upperAlpha';
  const mark = isAlpha ? letters(number) : roman(number);
  if (mark === '') return { number };
  return { label: `${numbering.startsWith('lower') ? mark.toLowerCase() : mark}.` };
}

/** A, B, … Z, AA, AB, … */
function letters(number: number): string {
  let rest = number;
  let text = '';
  while (rest > 0) {
    rest -= 1;
    text = String.fromCharCode(65 + (rest % 26)) + text;
    rest = Math.floor(rest / 26);
  }
  return text;
}
