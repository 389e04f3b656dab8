import type { ParseWarning } from '../../../domain/text/block.js';
import { knownFormats, type FormatName } from '../formats/known-formats.js';
import type { ReadLimits } from '../read-limits.js';
import type { SourceFile } from '../source-file.js';
import { endingOf, formatByEnding, otherKindByEnding } from './file-endings.js';
import { kindOfOle } from './ole-kind.js';
import { signedKind } from './signatures.js';
import { textFormat } from './text-format.js';
import { unsupported } from './unsupported.js';
import { kindOfZip } from './zip-kind.js';

/** What a file calls itself. */
export interface NamedSource {
  readonly fileName: string;
  /** As the uploader gave it; asked where neither the bytes nor the name tell. */
  readonly mediaType?: string;
}

/** What a file is, and what its name said instead. */
export interface DetectedFormat {
  readonly format: FormatName;
  readonly warnings: readonly ParseWarning[];
}

/**
 * How a source is to be read: by what its bytes prove, then by the ending of its name, then by what its text looks like
 * and its sender says. A name that says otherwise is noted.
 *
 * @throws AppError UNSUPPORTED_TYPE, with the name of the kind where it is known; ENCRYPTED, CORRUPT, TOO_LARGE for containers.
 */
export async function detectFormat(file: SourceFile, named: NamedSource, limits: ReadLimits): Promise<DetectedFormat> {
  const ending = endingOf(named.fileName);
  const format = (await provenFormat(file, limits)) ?? textFormat(file.head, ending, named.mediaType);
  const called = formatByEnding(ending) ?? otherKindByEnding(ending);
  if (called === undefined || called === format) return { format, warnings: [] };
  const message = `The file is called ".${ending}" and was read as what it is: ${knownFormats[format].name}.`;
  return { format, warnings: [{ code: 'OTHER_TYPE', message }] };
}

async function provenFormat(file: SourceFile, limits: ReadLimits): Promise<FormatName | undefined> {
  const kind = signedKind(file.head);
  if (!kind) return undefined;
  if ('format' in kind) return kind.format;
  if ('other' in kind) throw unsupported(kind.other);
  return kind.container === 'zip' ? kindOfZip(file, limits) : kindOfOle(file);
}
