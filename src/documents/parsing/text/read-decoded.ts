import { AppError } from '../../../domain/errors.js';
import type { SourceFile } from '../source-file.js';
import { countMatches } from './count-matches.js';
import { decodeDeclared } from './decode-declared.js';
import { decodeText, type DecodedText } from './detect-encoding.js';

/**
 * The characters of a source that is text, not yet normalised.
 *
 * @param asked what to read the bytes as; found out when absent.
 * @param declaredIn finds the encoding that bytes declare for themselves, in formats that can.
 * @throws AppError EMPTY where nothing can be seen; UNSUPPORTED_TYPE if it is no text; INVALID_REQUEST for an unknown encoding.
 */
export async function readDecoded(
  file: SourceFile,
  asked?: string,
  declaredIn?: (bytes: Buffer) => string | undefined,
): Promise<DecodedText> {
  const bytes = await file.readAll();
  const decoded = asked === undefined ? decodeDeclared(bytes, declaredIn?.(bytes)) : decodeText(bytes, asked);
  if (isBinary(decoded.text, decoded.confidence)) throw notText();
  if (!/[^\s\p{Cf}\u0000]/u.test(decoded.text)) throw new AppError('EMPTY', 'The file holds nothing but white space.');
  return decoded;
}

/** Stray control characters happen in texts; files of other kinds are full of them. */
function isBinary(text: string, confidence: number): boolean {
  const controls = countMatches(text, /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g);
  const share = controls / text.length;
  return controls > 2 && share > (confidence === 1 ? 0.1 : 0.01);
}

function notText(): AppError {
  return new AppError('UNSUPPORTED_TYPE', 'The file is neither text nor of a format that can be read.');
}
