import { ZipFile } from '../containers/zip-file.js';
import type { FormatName } from '../formats/known-formats.js';
import { contentTypesPart } from '../formats/ooxml/main-part.js';
import type { ReadLimits } from '../read-limits.js';
import type { SourceFile } from '../source-file.js';
import { kindOfOffice } from './office-kind.js';
import { unsupported } from './unsupported.js';

/** By the part called `mimetype`, which OpenDocument and EPUB begin with. */
const typedFormats: ReadonlyMap<string, FormatName> = new Map([
  ['application/epub+zip', 'epub'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.text-template', 'odt'],
]);

/** What an archive is, by the parts in it. @throws AppError UNSUPPORTED_TYPE, CORRUPT, ENCRYPTED, TOO_LARGE. */
export async function kindOfZip(file: SourceFile, limits: ReadLimits): Promise<FormatName> {
  const zip = await ZipFile.open(file, limits);
  if (zip.has(contentTypesPart)) return kindOfOffice(zip, limits);
  const type = zip.has('mimetype') ? (await zip.read('mimetype', 1_000)).toString('latin1').trim() : '';
  const format = typedFormats.get(type);
  if (format) return format;
  // Books that were packed again by hand.
  if (zip.has('META-INF/container.xml')) return 'epub';
  throw unsupported(type.startsWith('application/vnd.oasis.opendocument') ? 'OpenDocument other than text' : 'archive');
}
