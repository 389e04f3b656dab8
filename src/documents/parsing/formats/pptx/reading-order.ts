import { childrenOf, type XmlElement } from '../../containers/xml-tree.js';
import type { Layout } from './layouts.js';
import { isTitle, placeholderOf, positionOf, type Placeholder, type Position } from './placeholder.js';

/** Something that lies on a slide. */
export interface SlideShape {
  readonly element: XmlElement;
  readonly placeholder: Placeholder | undefined;
}

type PlacedShape = SlideShape & { readonly position: Position };

const shapeNames: ReadonlySet<string> = new Set(['p:sp', 'p:grpSp', 'p:graphicFrame', 'p:pic', 'p:contentPart']);
/** Part of the height of a slide within which shapes lie side by side. */
const bandShare = 0.04;

/**
 * The shapes of a slide in the order in which they are read: its title first, the placeholders as the slide has them,
 * and all others where they lie among these, from top to bottom and from left to right. Groups are taken as a whole.
 */
export function readingOrder(tree: XmlElement, layout: Layout, height: number): SlideShape[] {
  const ordered: SlideShape[] = [];
  const waiting: SlideShape[] = arranged(tree, layout, height).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.element.name !== 'p:grpSp') ordered.push(next);
    else waiting.push(...arranged(next.element, layout, height).reverse());
  }
  const titles = ordered.filter(isTitleShape);
  return [...titles, ...ordered.filter((shape) => !isTitleShape(shape))];
}

function arranged(parent: XmlElement, layout: Layout, height: number): SlideShape[] {
  const shapes = childrenOf(parent)
    .filter(({ name }) => shapeNames.has(name))
    .map((element): PlacedShape => {
      const placeholder = placeholderOf(element);
      const position = positionOf(element) ?? (placeholder && layout.positionOf(placeholder)) ?? { top: 0, left: 0 };
      return { element, placeholder, position };
    });
  const fixed = shapes.filter(({ placeholder }) => placeholder);
  const free = banded(
    shapes.filter(({ placeholder }) => !placeholder),
    height * bandShare,
  );
  const order: PlacedShape[] = [];
  for (const place of fixed) {
    while (free[0] && isBefore(free[0].position, place.position, height * bandShare))
      order.push(free.shift() as PlacedShape);
    order.push(place);
  }
  return [...order, ...free];
}

/** Sorted by bands of shapes that lie side by side, and within these from left to right. */
function banded(shapes: readonly PlacedShape[], band: number): PlacedShape[] {
  const byTop = [...shapes].sort((a, b) => a.position.top - b.position.top);
  const sorted: PlacedShape[] = [];
  let start = 0;
  byTop.forEach((shape, i) => {
    const first = byTop[start] as PlacedShape;
    if (shape.position.top - first.position.top <= band) return;
    sorted.push(...leftToRight(byTop.slice(start, i)));
    start = i;
  });
  return [...sorted, ...leftToRight(byTop.slice(start))];
}

function leftToRight(shapes: readonly PlacedShape[]): PlacedShape[] {
  return [...shapes].sort((a, b) => a.position.left - b.position.left);
}

function isBefore(one: Position, other: Position, band: number): boolean {
  const below = one.top - other.top;
  return Math.abs(below) <= band ? one.left < other.left : below < 0;
}

function isTitleShape({ placeholder }: SlideShape): boolean {
  return placeholder !== undefined && isTitle(placeholder);
}
