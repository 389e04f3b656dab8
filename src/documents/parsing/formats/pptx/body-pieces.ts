import { elementIn, type XmlElement } from '../../containers/xml-tree.js';
import type { Piece } from '../../writing/pieces.js';
import { roman } from '../../writing/roman.js';
import { chineseCount, circled, fullWidth, lettered } from '../ooxml/number-text.js';
import { bodyParagraphs } from '../ooxml/text-body.js';
import { wholeNumber } from '../ooxml/values.js';
import { bulletOf, bulletsOf, type Bullet } from './bullets.js';

/** PowerPoint has nine levels. */
const deepestLevel = 8;

const numbers: readonly (readonly [scheme: RegExp, show: (number: number) => string])[] = [
  [/^alphaLc/, (number) => lettered(number)],
  [/^alphaUc/, (number) => lettered(number).toUpperCase()],
  [/^romanLc/, (number) => roman(number).toLowerCase()],
  [/^romanUc/, roman],
  [/^circleNum/, circled],
  [/^ea1/, chineseCount],
  [/^arabicDb/, fullWidth],
];
const ends: readonly (readonly [scheme: RegExp, mark: (number: string) => string])[] = [
  [/ParenBoth$/, (number) => `(${number})`],
  [/ParenR$/, (number) => `${number})`],
  [/Minus$/, (number) => `${number}-`],
  [/Period$/, (number) => `${number}.`],
];

/** Paragraphs of a shape as paragraphs and items. @param inherited marks of levels that the shape leaves to others. */
export function bodyPieces(body: XmlElement, inherited: (level: number) => Bullet | undefined): Piece[] {
  const own = bulletsOf(elementIn(body, 'a:lstStyle'));
  /** Items counted so far, by level. */
  const counts: number[] = [];
  return bodyParagraphs(body).flatMap(({ text, properties }): Piece[] => {
    if (text.trim() === '') return [];
    const level = Math.min(Math.max(wholeNumber(properties?.attributes['lvl']) ?? 0, 0), deepestLevel);
    const bullet = bulletOf(properties) ?? own.get(level) ?? inherited(level) ?? { kind: 'none' };
    // What is deeper begins anew, and so does a level that was left off.
    counts.length = Math.min(counts.length, bullet.kind === 'number' ? level + 1 : level);
    if (bullet.kind !== 'number') {
      return [bullet.kind === 'none' ? { kind: 'paragraph', text } : { kind: 'item', text, depth: level + 1 }];
    }
    counts[level] = (counts[level] ?? bullet.start - 1) + 1;
    return [{ kind: 'item', depth: level + 1, ...numbered(text, bullet.scheme, counts[level] ?? 1) }];
  });
}

/** A plain number is Markdown's own; any other mark is part of the text. */
function numbered(text: string, scheme: string, number: number): { readonly text: string; readonly number?: number } {
  const show = numbers.find(([pattern]) => pattern.test(scheme))?.[1];
  if (!show && number >= 0) return { text, number };
  const shown = show?.(number) || String(number);
  const mark = ends.find(([pattern]) => pattern.test(scheme))?.[1];
  return { text: `${mark ? mark(shown) : shown} ${text}` };
}
