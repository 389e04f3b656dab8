import type { ZipFile } from '../containers/zip-file.js';
import { findMainPart } from '../formats/ooxml/main-part.js';
import type { FormatName } from '../formats/known-formats.js';
import type { ReadLimits } from '../read-limits.js';
import { unsupported } from './unsupported.js';

/** Content types of main parts: of documents and templates, with macros or without. */
const mainTypes: readonly (readonly [type: RegExp, format: FormatName | { readonly other: string }])[] = [
  [/wordprocessingml|ms-word/i, 'docx'],
  [/ms-excel\.sheet\.binary/i, { other: 'binary Excel (save it as .xlsx)' }],
  [/spreadsheetml|ms-excel/i, 'xlsx'],
  [/presentationml|ms-powerpoint/i, 'pptx'],
  [/visio/i, { other: 'Visio drawing' }],
];

/** What an Office file is, by the part that it is about. @throws AppError UNSUPPORTED_TYPE, CORRUPT, TOO_LARGE. */
export async function kindOfOffice(zip: ZipFile, limits: ReadLimits): Promise<FormatName> {
  const { type } = await findMainPart(zip, limits);
  const format = mainTypes.find(([pattern]) => pattern.test(type))?.[1] ?? { other: 'Office file of another kind' };
  if (typeof format === 'string') return format;
  throw unsupported(format.other);
}
