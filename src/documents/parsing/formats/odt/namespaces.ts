import type { XmlPrefixes } from '../../containers/xml-events.js';

const openDocument = (name: string): string => `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`;

/** Prefixes by which elements and attributes of OpenDocument are called here. */
export const odtPrefixes: XmlPrefixes = new Map([
  [openDocument('office'), 'office'],
  [openDocument('style'), 'style'],
  [openDocument('text'), 'text'],
  [openDocument('table'), 'table'],
  [openDocument('drawing'), 'draw'],
  [openDocument('svg-compatible'), 'svg'],
  [openDocument('manifest'), 'manifest'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
]);
