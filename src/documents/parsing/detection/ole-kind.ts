import { AppError } from '../../../domain/errors.js';
import type { SourceFile } from '../source-file.js';
import { unsupported } from './unsupported.js';

/** Streams of old Office files, by name; the directory holds names as UTF-16. */
const streams: readonly (readonly [stream: string, kind: string])[] = [
  ['WordDocument', 'old Word (save it as .docx)'],
  ['Workbook', 'old Excel (save it as .xlsx)'],
  ['PowerPoint Document', 'old PowerPoint (save it as .pptx)'],
  ['__properties_version1.0', 'Outlook message (save it as .eml)'],
];
/** The directory may lie anywhere; it is looked for so far. */
const searchedBytes = 16 * 1024 * 1024;

/**
 * Old Office files cannot be read, and newer ones with a password come in the same container. Always throws.
 *
 * @throws AppError ENCRYPTED, UNSUPPORTED_TYPE
 */
export async function kindOfOle(file: SourceFile): Promise<never> {
  const start = await file.read(0, searchedBytes);
  const holds = (name: string): boolean => start.includes(Buffer.from(name, 'utf16le'));
  if (holds('EncryptedPackage')) throw new AppError('ENCRYPTED', 'The file is protected by a password.');
  throw unsupported(streams.find(([stream]) => holds(stream))?.[1] ?? 'old Office');
}
