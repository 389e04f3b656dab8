import { elementIn, elementsIn, readXmlTree } from '../../containers/xml-tree.js';
import type { ZipFile } from '../../containers/zip-file.js';
import { AppError } from '../../../../domain/errors.js';
import type { ReadLimits } from '../../read-limits.js';

const prefixes: ReadonlyMap<string, string> = new Map([['http://www.w3.org/2001/04/xmlenc#', 'enc']]);
/** Fonts that were made unfit for anything but their book. */
const fontAlgorithms: ReadonlySet<string> = new Set([
  'http://www.idpf.org/2008/embedding',
  'http://ns.adobe.com/pdf/enc#RC',
]);

/** @throws AppError ENCRYPTED if more of a book than its fonts is encrypted, or a licence comes with it. */
export async function refuseProtected(zip: ZipFile, limits: ReadLimits): Promise<void> {
  if (zip.has('META-INF/rights.xml') || (await hasEncryptedParts(zip, limits)))
    throw new AppError('ENCRYPTED', 'The book is protected against copying (DRM).');
}

async function hasEncryptedParts(zip: ZipFile, limits: ReadLimits): Promise<boolean> {
  const part = 'META-INF/encryption.xml';
  if (!zip.has(part)) return false;
  const root = await readXmlTree(await zip.stream(part), { prefixes, limits });
  return elementsIn(root, 'enc:EncryptedData').some((data) => {
    const algorithm = elementIn(data, 'enc:EncryptionMethod')?.attributes['Algorithm'] ?? '';
    return !fontAlgorithms.has(algorithm);
  });
}
