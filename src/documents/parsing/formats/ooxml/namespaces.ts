import type { XmlPrefixes } from '../../containers/xml-events.js';

const transitional = 'http://schemas.openxmlformats.org';
const strict = 'http://purl.oclc.org/ooxml';

/** Namespaces that differ only in their root between the two kinds of Office Open XML. */
const inBoth: Readonly<Record<string, readonly [transitional: string, strict: string]>> = {
  w: ['wordprocessingml/2006/main', 'wordprocessingml/main'],
  x: ['spreadsheetml/2006/main', 'spreadsheetml/main'],
  p: ['presentationml/2006/main', 'presentationml/main'],
  a: ['drawingml/2006/main', 'drawingml/main'],
  c: ['drawingml/2006/chart', 'drawingml/chart'],
  dgm: ['drawingml/2006/diagram', 'drawingml/diagram'],
  pic: ['drawingml/2006/picture', 'drawingml/picture'],
  wp: ['drawingml/2006/wordprocessingDrawing', 'drawingml/wordprocessingDrawing'],
  xdr: ['drawingml/2006/spreadsheetDrawing', 'drawingml/spreadsheetDrawing'],
  m: ['officeDocument/2006/math', 'officeDocument/math'],
  r: ['officeDocument/2006/relationships', 'officeDocument/relationships'],
  ep: ['officeDocument/2006/extended-properties', 'officeDocument/extendedProperties'],
};

const inOne: Readonly<Record<string, string>> = {
  mc: `${transitional}/markup-compatibility/2006`,
  rel: `${transitional}/package/2006/relationships`,
  ct: `${transitional}/package/2006/content-types`,
  v: 'urn:schemas-microsoft-com:vml',
  o: 'urn:schemas-microsoft-com:office:office',
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
  w14: 'http://schemas.microsoft.com/office/word/2010/wordml',
  adec: 'http://schemas.microsoft.com/office/drawing/2017/decorative',
  tc: 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments',
  p188: 'http://schemas.microsoft.com/office/powerpoint/2018/8/main',
};

/** The prefixes by which readers know the elements of Office files, whatever prefix and kind a file uses. */
export const officePrefixes: XmlPrefixes = new Map([
  ...Object.entries(inBoth).flatMap(([prefix, [one, other]]) => [
    [`${transitional}/${one}`, prefix] as const,
    [`${strict}/${other}`, prefix] as const,
  ]),
  ...Object.entries(inOne).map(([prefix, uri]) => [uri, prefix] as const),
]);
