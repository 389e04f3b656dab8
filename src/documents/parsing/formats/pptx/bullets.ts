import { childrenOf, type XmlElement } from '../../containers/xml-tree.js';
import { wholeNumber } from '../ooxml/values.js';

/** The mark before a paragraph. */
export type Bullet =
  | { readonly kind: 'none' | 'sign' }
  /** @property scheme such as `arabicPeriod`. */
  | { readonly kind: 'number'; readonly scheme: string; readonly start: number };

/** The mark that properties of a paragraph, or of a level, give; undefined where they leave it to others. */
export function bulletOf(properties: XmlElement | undefined): Bullet | undefined {
  for (const { name, attributes } of properties ? childrenOf(properties) : []) {
    if (name === 'a:buNone') return { kind: 'none' };
    if (name === 'a:buChar' || name === 'a:buBlip') return { kind: 'sign' };
    if (name === 'a:buAutoNum') {
      return { kind: 'number', scheme: attributes['type'] ?? '', start: wholeNumber(attributes['startAt']) ?? 1 };
    }
  }
  return undefined;
}

/** Marks of levels, from 0, as a list style gives them. @param styles such as `a:lstStyle` or `p:bodyStyle`. */
export function bulletsOf(styles: XmlElement | undefined): ReadonlyMap<number, Bullet> {
  const bullets = new Map<number, Bullet>();
  for (const level of styles ? childrenOf(styles) : []) {
    const number = /^a:lvl([1-9])pPr$/.exec(level.name)?.[1];
    const bullet = bulletOf(level);
    if (number !== undefined && bullet) bullets.set(Number(number) - 1, bullet);
  }
  return bullets;
}
