import { childrenOf, elementIn, type XmlElement } from '../../containers/xml-tree.js';
import { wholeNumber } from '../ooxml/values.js';

/** What a shape of a slide stands for: layouts and masters hold a shape for the same. */
export interface Placeholder {
  /** `title`, `body`, `obj` and others. */
  readonly type: string;
  readonly index: string;
}

/** A place on a slide, in units of its own. */
export interface Position {
  readonly top: number;
  readonly left: number;
}

const properties = /^p:nv\w*Pr$/;

/** What a shape stands for; undefined for one that stands for itself. */
export function placeholderOf(shape: XmlElement): Placeholder | undefined {
  const own = childrenOf(shape).find(({ name }) => properties.test(name));
  const found = own && elementIn(own, 'p:ph');
  return found && { type: found.attributes['type'] ?? 'obj', index: found.attributes['idx'] ?? '' };
}

/** Where a shape lies, as far as it says so itself. */
export function positionOf(shape: XmlElement): Position | undefined {
  const holder = childrenOf(shape).find(({ name }) => name === 'p:spPr' || name === 'p:grpSpPr') ?? shape;
  const frame = childrenOf(holder).find(({ name }) => name === 'a:xfrm' || name === 'p:xfrm');
  const offset = frame && childrenOf(frame, 'a:off')[0];
  if (!offset) return undefined;
  return { top: wholeNumber(offset.attributes['y']) ?? 0, left: wholeNumber(offset.attributes['x']) ?? 0 };
}

export function isTitle({ type }: Placeholder): boolean {
  return type === 'title' || type === 'ctrTitle';
}

/** The number of the slide, which its page says, too. */
export function isSlideNumber({ type }: Placeholder, text: string): boolean {
  return type === 'sldNum' && /^\s*\d*\s*$/.test(text);
}

/** Lines that stand on every slide. */
export function isRunningLine({ type }: Placeholder): boolean {
  return type === 'dt' || type === 'ftr' || type === 'sldNum' || type === 'hdr';
}
