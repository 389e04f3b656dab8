import { elementIn, readXmlTree, textIn } from '../../containers/xml-tree.js';
import type { ZipFile } from '../../containers/zip-file.js';
import { AppError } from '../../../../domain/errors.js';
import type { ReadLimits } from '../../read-limits.js';
import { odtPrefixes } from './namespaces.js';

const objectPart = /^(Object [^/]+)\/content\.xml$/;
/** Charts hold the values they show; a formula is small. */
const mostFormulaBytes = 100_000;
const mostObjects = 1_000;

/** The formulas of a document as their authors wrote them, by the names of the objects that hold them. */
export async function readFormulas(zip: ZipFile, limits: ReadLimits): Promise<ReadonlyMap<string, string>> {
  const formulas = new Map<string, string>();
  const objects = zip.names.flatMap((name) => objectPart.exec(name)?.[1] ?? []);
  for (const object of objects.slice(0, mostObjects)) {
    const formula = await formulaIn(zip, `${object}/content.xml`, limits);
    if (formula) formulas.set(object, formula);
  }
  return formulas;
}

async function formulaIn(zip: ZipFile, part: string, limits: ReadLimits): Promise<string | undefined> {
  if (zip.sizeOf(part) > mostFormulaBytes) return undefined;
  try {
    const root = await readXmlTree(await zip.stream(part), { prefixes: odtPrefixes, limits, name: part });
    const annotation = elementIn(root, 'math:annotation');
    return annotation && textIn(annotation).replace(/\s+/g, ' ').trim();
  } catch (error) {
    // What is embedded may be damaged without the text being so.
    if (error instanceof AppError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}
