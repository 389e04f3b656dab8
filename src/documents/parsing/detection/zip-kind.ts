import { ZipFile } from '../containers/zip-file.js';
import type { FormatName } from '../formats/known-formats.js';
import { corrupt, type ReadLimits } from '../read-limits.js';
import type { SourceFile } from '../source-file.js';
import { unsupported } from './unsupported.js';

/** Main parts of Office files, by a part that no other has. */
const officeParts: readonly (readonly [part: string, format: FormatName | undefined, name: string])[] = [];

/** By the part called `mimetype`, which OpenDocument and EPUB begin with. */
const typedFormats: ReadonlyMap<string, FormatName> = new Map([]);

/** What an archive is, by the parts in it. @throws AppError UNSUPPORTED_TYPE, CORRUPT, ENCRYPTED, TOO_LARGE. */
export async function kindOfZip(file: SourceFile, limits: ReadLimits): Promise<FormatName> {
  const zip = await ZipFile.open(file, limits);
  const office = officeParts.find(([part]) => zip.has(part));
  if (office) {
    if (office[1]) return office[1];
    throw unsupported(office[2]);
  }
  if (zip.has('[Content_Types].xml')) throw corrupt('it is an Office file without its main part');
  if (!zip.has('mimetype')) throw unsupported('archive');
  const type = (await zip.read('mimetype', 1_000)).toString('latin1').trim();
  const format = typedFormats.get(type);
  if (format) return format;
  throw unsupported(type.startsWith('application/vnd.oasis.opendocument') ? 'OpenDocument other than text' : 'archive');
}
