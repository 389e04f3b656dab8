import { posix } from 'node:path';
import { elementIn, elementsIn, readXmlTree, textIn, type XmlElement } from '../../containers/xml-tree.js';
import type { ZipFile } from '../../containers/zip-file.js';
import { corrupt, type ReadLimits } from '../../read-limits.js';

/** What a file of a book is, unless it is text. */
export type ChapterRole = 'contents' | 'cover';

/** A file of a book, in the order of reading. */
export interface Chapter {
  /** Its part of the archive; undefined where the book names none. */
  readonly part: string | undefined;
  readonly mediaType: string;
  readonly role?: ChapterRole;
}

export interface BookPackage {
  readonly title: string;
  readonly chapters: readonly Chapter[];
}

const prefixes: ReadonlyMap<string, string> = new Map([
  ['http://www.idpf.org/2007/opf', ''],
  ['urn:oasis:names:tc:opendocument:xmlns:container', ''],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
]);

/** Reads what a book says of itself: its title, and its files in the order of reading. @throws AppError CORRUPT */
export async function readPackage(zip: ZipFile, limits: ReadLimits): Promise<BookPackage> {
  const path = await packagePath(zip, limits);
  const root = await readXmlTree(await zip.stream(path), { prefixes, limits });
  const items = new Map(elementsIn(root, 'item').map((item) => [item.attributes['id'] ?? '', item]));
  const guide = guideRoles(root, path);
  const chapters = elementsIn(root, 'itemref').map(({ attributes }): Chapter => {
    const item = items.get(attributes['idref'] ?? '');
    const part = item && partPath(path, item.attributes['href'] ?? '');
    const isContents = (item?.attributes['properties'] ?? '').split(/\s+/).includes('nav');
    const role = isContents ? 'contents' : guide.get(part ?? '');
    return { part, mediaType: item?.attributes['media-type'] ?? '', ...(role ? { role } : {}) };
  });
  const title = elementIn(root, 'dc:title');
  return { title: title ? textIn(title).trim() : '', chapters };
}

/** Parts by the roles that older books name beside their lists of chapters. */
function guideRoles(root: XmlElement, path: string): ReadonlyMap<string, ChapterRole> {
  const roles = new Map<string, ChapterRole>();
  for (const { attributes } of elementsIn(root, 'reference')) {
    const part = partPath(path, attributes['href'] ?? '');
    if (attributes['type'] === 'toc') roles.set(part, 'contents');
    if (attributes['type'] === 'cover') roles.set(part, 'cover');
  }
  return roles;
}

async function packagePath(zip: ZipFile, limits: ReadLimits): Promise<string> {
  const container = 'META-INF/container.xml';
  if (zip.has(container)) {
    const root = await readXmlTree(await zip.stream(container), { prefixes, limits });
    const path = elementIn(root, 'rootfile')?.attributes['full-path'];
    if (path !== undefined && zip.has(path)) return path;
  }
  const only = zip.names.find((name) => name.toLowerCase().endsWith('.opf'));
  if (only === undefined) throw corrupt('it has no package document, which lists the chapters of a book');
  return only;
}

/** The part that a reference in the package means. */
function partPath(packagePart: string, href: string): string {
  const path = href.replace(/[?#].*$/s, '');
  return posix.join(posix.dirname(packagePart), decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
