import type { Readable } from 'node:stream';
import { tooLarge } from '../read-limits.js';
import { readXml, type XmlAttributes, type XmlHandler, type XmlOptions } from './xml-events.js';

/** An element with what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

export interface TreeOptions extends XmlOptions {
  /** Stands between the document and the tree, to leave out or change what comes by. */
  readonly through?: (handler: XmlHandler) => XmlHandler;
}

/** Each element costs some hundred bytes. */
const mostElements = 500_000;

/**
 * Reads a small part, such as styles or relations, as a whole.
 *
 * @throws AppError as `readXml`, and TOO_LARGE for more elements than a small part has.
 */
export async function readXmlTree(
  source: Readable,
  { through = (handler) => handler, ...options }: TreeOptions,
): Promise<XmlElement> {
  const root: OpenElement = { name: '', attributes: {}, children: [] };
  const open: OpenElement[] = [root];
  let count = 0;
  await readXml(
    source,
    through({
      open(name, attributes) {
        count += 1;
        if (count > mostElements) throw tooLarge('blocks', mostElements, `${mostElements} elements in one small part`);
        const element: OpenElement = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      close() {
        open.pop();
      },
      text(text) {
        open.at(-1)?.children.push(text);
      },
    }),
    options,
  );
  return root;
}

/** All elements of a name within another, at any depth, in their order. */
export function elementsIn(parent: XmlElement, name: string): XmlElement[] {
  return [...descendants(parent, name)];
}

/** The first element of a name within another, at any depth. */
export function elementIn(parent: XmlElement, name: string): XmlElement | undefined {
  for (const element of descendants(parent, name)) return element;
  return undefined;
}

/** The elements directly within another: all, or those of a name. */
export function childrenOf(parent: XmlElement, name?: string): XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

function* descendants(parent: XmlElement, name: string): Generator<XmlElement> {
  const open = [{ children: parent.children, next: 0 }];
  for (let at = open.at(-1); at; at = open.at(-1)) {
    const child = at.children[at.next];
    at.next += 1;
    if (child === undefined) open.pop();
    else if (typeof child !== 'string') {
      if (child.name === name) yield child;
      open.push({ children: child.children, next: 0 });
    }
  }
}

/** All text within an element. */
export function textIn(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
}
