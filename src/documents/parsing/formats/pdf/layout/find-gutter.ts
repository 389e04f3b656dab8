import type { Flowing } from './columns.js';
import { looksLikeColumns } from './column-evidence.js';

/** Two columns with a gutter between them, and what stands above and below both. */
export interface Gutter<Item> {
  readonly above: readonly Item[];
  readonly left: readonly Item[];
  readonly right: readonly Item[];
  readonly below: readonly Item[];
}

/** Points between the places that are tried. */
const step = 2;
/** A page with more is a drawing or a list of numbers. */
const mostItems = 4_000;
const fewestItems = 6;
/** In sizes: a wider blank than this parts what belongs together in a column. */
const trimGap = 1.2;
const sameBlank = 0.15;

interface Sides<Item> {
  readonly left: readonly Item[];
  readonly right: readonly Item[];
  readonly score: number;
}

/** The gutter with the most lines beside it, if text runs in columns. */
export function findGutter<Item extends Flowing>(items: readonly Item[]): Gutter<Item> | undefined {
  if (items.length < fewestItems || items.length > mostItems) return undefined;
  const sorted = [...items].sort((a, b) => a.top - b.top);
  const size = usualSize(sorted);
  let best: Sides<Item> | undefined;
  for (const x of placesToTry(sorted)) {
    for (const band of bandsBeside(sorted, x)) {
      const sides = trim(band, x, size);
      if (!sides || sides.score <= (best?.score ?? 0) || !looksLikeColumns(sides, size)) continue;
      best = sides;
    }
  }
  return best && partition(items, best);
}

/** Behind the ends of texts, as far as something begins further right. */
function placesToTry(items: readonly Flowing[]): number[] {
  const lastStart = Math.max(...items.map(({ left }) => left));
  const places = new Set(items.map(({ right }) => Math.ceil((right + 0.1) / step) * step));
  return [...places].filter((x) => x <= lastStart + step);
}

/** A stretch of the page in which nothing crosses some place. */
interface Band<Item> {
  readonly items: readonly Item[];
  /** Where the text above it ends that crosses, and where that below it begins. */
  readonly floor: number;
  readonly ceiling: number;
}

/** The bands beside `x`, from top to bottom. */
function* bandsBeside<Item extends Flowing>(sorted: readonly Item[], x: number): Generator<Band<Item>> {
  let items: Item[] = [];
  let floor = -Infinity;
  for (const item of sorted) {
    if (item.left < x - step && item.right > x) {
      // What stands beside a crossing text belongs to its line.
      yield { items: items.filter((other) => middleOf(other) < item.top), floor, ceiling: item.top };
      items = [];
      floor = Math.max(floor, item.bottom);
    } else if (middleOf(item) > floor) items.push(item);
  }
  yield { items, floor, ceiling: Infinity };
}

/** The two sides of a band, without what belongs to the text above or below it. */
function trim<Item extends Flowing>(band: Band<Item>, x: number, size: number): Sides<Item> | undefined {
  const left = band.items.filter(({ right }) => right <= x);
  const right = band.items.filter((item) => item.right > x);
  if (left.length < fewestItems / 2 || right.length < fewestItems / 2) return undefined;
  const top = Math.max(topOf(left), topOf(right));
  const bottom = Math.min(bottomOf(left), bottomOf(right));
  if (bottom <= top) return undefined;
  const kept = [left, right].map((side) => {
    const first = side.findIndex((item) => item.bottom > top);
    const last = side.findLastIndex((item) => item.top < bottom);
    return side.slice(firstOfColumn(side, first, band.floor, size), lastOfColumn(side, last, band.ceiling, size) + 1);
  });
  const [inLeft = [], inRight = []] = kept;
  return { left: inLeft, right: inRight, score: Math.min(inLeft.length, inRight.length) };
}

/** What stands before the item where both columns have begun goes with them, from its widest blank on. */
function firstOfColumn(side: readonly Flowing[], begun: number, floor: number, size: number): number {
  const blanks = side.slice(0, begun + 1).map((item, i) => item.top - (side[i - 1]?.bottom ?? floor));
  const parted = blanks.findLastIndex((blank) => blank > trimGap * size);
  if (parted > 0) return parted;
  const widest = Math.max(...blanks);
  return blanks.findIndex((blank) => blank >= widest - sameBlank * size);
}

function lastOfColumn(side: readonly Flowing[], ended: number, ceiling: number, size: number): number {
  const mirrored = side.map((item) => ({ ...item, top: -item.bottom, bottom: -item.top })).reverse();
  return side.length - 1 - firstOfColumn(mirrored, side.length - 1 - ended, -ceiling, size);
}

function partition<Item extends Flowing>(items: readonly Item[], { left, right }: Sides<Item>): Gutter<Item> {
  const columns = new Set([...left, ...right]);
  const middle = (topOf(columns) + bottomOf(columns)) / 2;
  const others = items.filter((item) => !columns.has(item));
  return {
    above: others.filter((item) => middleOf(item) < middle),
    left,
    right,
    below: others.filter((item) => middleOf(item) >= middle),
  };
}

function middleOf({ top, bottom }: Flowing): number {
  return (top + bottom) / 2;
}

function usualSize(items: readonly Flowing[]): number {
  const sizes = items.map(({ size }) => size).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? 10;
}

function topOf(items: Iterable<Flowing>): number {
  let top = Infinity;
  for (const item of items) top = Math.min(top, item.top);
  return top;
}

function bottomOf(items: Iterable<Flowing>): number {
  let bottom = -Infinity;
  for (const item of items) bottom = Math.max(bottom, item.bottom);
  return bottom;
}
