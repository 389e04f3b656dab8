import { isUtf8 } from 'node:buffer';
import { decodeDeclared } from '../../text/decode-declared.js';
import { decodeText } from '../../text/detect-encoding.js';
import { htmlEncoding } from '../html/html-encoding.js';

const headersEnd = /\r?\n\r?\n/;
/** In the header of any part; not in a page that is one. */
const charset = /^content-type:(?:[^\r\n]|\r?\n[ \t])*?\bcharset\s*=\s*"?([\w.:-]+)/im;

/**
 * A message whose bytes beyond ASCII are UTF-8 wherever it does not say what they are: old programs wrote names and
 * subjects, and bodies too, in the encoding of their country without a word.
 *
 * @param asked the encoding of what does not say it; found out when absent.
 */
export function mendedMessage(bytes: Buffer, asked: string | undefined): Buffer {
  if (isUtf8(bytes)) return bytes;
  const latin1 = bytes.toString('latin1');
  const end = headersEnd.exec(latin1);
  const bodyStart = end ? end.index + end[0].length : bytes.length;
  const declared = charset.exec(latin1)?.[1];
  const headers = inUtf8(bytes.subarray(0, bodyStart), asked, declared);
  const body = bytes.subarray(bodyStart);
  return Buffer.concat([headers, declared === undefined ? inUtf8(body, asked, htmlEncoding(body)) : body]);
}

function inUtf8(bytes: Buffer, asked: string | undefined, declared: string | undefined): Buffer {
  if (isUtf8(bytes)) return bytes;
  return Buffer.from((asked === undefined ? decodeDeclared(bytes, declared) : decodeText(bytes, asked)).text);
}
