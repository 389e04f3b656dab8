import { elementsIn, type XmlElement } from '../../containers/xml-tree.js';
import { bodyText } from './text-body.js';

/** A point of a diagram (SmartArt) that says something. */
export interface DiagramItem {
  readonly text: string;
  /** From 1. */
  readonly depth: number;
}

/** What a diagram says, in the order and depth of its outline. @param root of its data part. */
export function diagramItems(root: XmlElement): DiagramItem[] {
  const texts = new Map<string, string>();
  const waiting: { readonly id: string; readonly depth: number }[] = [];
  for (const point of elementsIn(root, 'dgm:pt')) {
    const { modelId = '', type = 'node' } = point.attributes;
    if (type === 'doc') waiting.push({ id: modelId, depth: 0 });
    if (type === 'node' || type === 'asst') texts.set(modelId, elementsIn(point, 'dgm:t').map(bodyText).join('\n'));
  }
  const children = childrenOf(root);
  const items: DiagramItem[] = [];
  const take = (id: string, depth: number): void => {
    const text = texts.get(id);
    texts.delete(id);
    if (text !== undefined && text.trim() !== '') items.push({ text, depth: Math.max(depth, 1) });
  };
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, depth } = next;
    take(id, depth);
    // Each point once, whatever circles there are.
    const inner = children.get(id) ?? [];
    children.delete(id);
    waiting.push(...inner.map((child) => ({ id: child, depth: depth + 1 })).reverse());
  }
  for (const id of [...texts.keys()]) take(id, 1);
  return items;
}

function childrenOf(root: XmlElement): Map<string, string[]> {
  const found = new Map<string, { readonly id: string; readonly order: number }[]>();
  for (const { attributes } of elementsIn(root, 'dgm:cxn')) {
    if ((attributes['type'] ?? 'parOf') !== 'parOf') continue;
    const siblings = found.get(attributes['srcId'] ?? '') ?? [];
    found.set(attributes['srcId'] ?? '', siblings);
    siblings.push({ id: attributes['destId'] ?? '', order: Number(attributes['srcOrd'] ?? 0) });
  }
  return new Map(
    [...found].map(([id, siblings]) => [id, siblings.sort((a, b) => a.order - b.order).map((child) => child.id)]),
  );
}
