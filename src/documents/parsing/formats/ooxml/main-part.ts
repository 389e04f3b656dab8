import { readXmlTree } from '../../containers/xml-tree.js';
import type { ZipFile } from '../../containers/zip-file.js';
import { corrupt, type ReadLimits } from '../../read-limits.js';
import { ContentTypes } from './content-types.js';
import { officePrefixes } from './namespaces.js';
import { Relations, relationsPartOf } from './relations.js';

export const contentTypesPart = '[Content_Types].xml';

/** The part that an Office file is about, with its content type. */
export interface MainPart {
  readonly part: string;
  readonly type: string;
}

/** Where Office itself puts main parts, for files that do not say which one it is. */
const usualParts: readonly MainPart[] = [
  {
    part: 'word/document.xml',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  },
  { part: 'xl/workbook.xml', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml' },
  {
    part: 'ppt/presentation.xml',
    type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
  },
];

/**
 * Finds the main part by the file's first relation and its content type, and else by either of them alone.
 *
 * @throws AppError CORRUPT if there is none
 */
export async function findMainPart(zip: ZipFile, limits: ReadLimits): Promise<MainPart> {
  const read = async (name: string): ReturnType<typeof readXmlTree> =>
    readXmlTree(await zip.stream(name), { prefixes: officePrefixes, limits, name });
  const types = new ContentTypes(await read(contentTypesPart));
  const relationsPart = relationsPartOf('');
  const relations = zip.has(relationsPart) ? Relations.read(await read(relationsPart), '') : Relations.none;
  const related = relations
    .ofType('officeDocument')
    .map(({ target }) => ({ part: target, type: types.typeOf(target) }));
  const typed = [...types.named()].map(([part, type]) => ({ part, type }));
  const usual = usualParts.map(({ part, type }) => ({
    part,
    type: isMain(types.typeOf(part)) ? types.typeOf(part) : type,
  }));
  const main =
    [...related, ...typed].find(({ part, type }) => isMain(type) && zip.has(part)) ??
    [...usual, ...related].find(({ part }) => zip.has(part));
  if (!main) throw corrupt('it is an Office file without its main part');
  return main;
}

function isMain(type: string): boolean {
  return /\.main(?:\+xml)?$/i.test(type);
}
