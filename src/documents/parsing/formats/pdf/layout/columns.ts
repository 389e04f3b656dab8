import type { Box } from '../content/page-content.js';
import { findGutter } from './find-gutter.js';
import { isRightToLeft } from './visual-order.js';

/** What flows through the columns of a page: text, or a table as a whole. */
export interface Flowing extends Box {
  /** Its place among all that was painted. */
  readonly order: number;
  /** Empty for tables. */
  readonly text: string;
  readonly size: number;
}

/** More parts than any page has columns and bands. */
const mostParts = 500;

/**
 * Parts of a page in the order in which they are read: what stands over columns, the columns one after the other, what
 * stands below. Within a part everything is read from top to bottom.
 */
export function readingParts<Item extends Flowing>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  const waiting: (readonly Item[])[] = [items];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.length === 0) continue;
    const gutter = parts.length + waiting.length < mostParts ? findGutter(next) : undefined;
    if (!gutter) parts.push([...next]);
    else {
      const { above, left, right, below } = gutter;
      const inOrder = isRightToLeft(sample(next)) ? [above, right, left, below] : [above, left, right, below];
      waiting.push(...inOrder.reverse());
    }
  }
  return parts;
}

function sample(items: readonly Flowing[]): string {
  return items
    .slice(0, 50)
    .map(({ text }) => text)
    .join('');
}
