import { AppError } from '../../../../domain/errors.js';
import type { ZipFile } from '../../containers/zip-file.js';
import { decodeDeclared } from '../../text/decode-declared.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import type { Omissions, OmittedKind } from '../../writing/omissions.js';
import type { Piece } from '../../writing/pieces.js';
import { htmlEncoding } from '../html/html-encoding.js';
import { readPage } from '../html/read-page.js';
import type { Chapter } from './book-package.js';

const pictures: OmittedKind = { code: 'PICTURES_LEFT_OUT', one: 'picture', many: 'pictures' };

/** The pieces of a chapter; undefined if its file is missing or damaged. @throws AppError TOO_LARGE */
export async function readChapter(
  zip: ZipFile,
  { part, mediaType }: Chapter,
  { page, omissions, out }: { readonly page: number; readonly omissions: Omissions; readonly out: DocumentWriter },
): Promise<readonly Piece[] | undefined> {
  if (part === undefined || !zip.has(part)) return undefined;
  if (/^image\/(?!svg)/i.test(mediaType)) {
    omissions.add(pictures, { place: page });
    return [];
  }
  const bytes = await readPart(zip, part);
  if (!bytes) return undefined;
  const { text, warnings } = decodeDeclared(bytes, htmlEncoding(bytes));
  for (const { code, message } of warnings) out.warn(code, message);
  return readPage(text, omissions, { isXhtml: true, isWhole: true, place: page }).pieces;
}

async function readPart(zip: ZipFile, part: string): Promise<Buffer | undefined> {
  try {
    return await zip.read(part);
  } catch (error) {
    // One damaged chapter does not take the others with it.
    if (error instanceof AppError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}
