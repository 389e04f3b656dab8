import { isAscii, isUtf8 } from 'node:buffer';
import { countMatches } from './count-matches.js';
import { decodeText, type DecodedText } from './detect-encoding.js';
import { markedEncoding } from './encoding/byte-order-mark.js';
import { encodingNamed } from './encoding/known-encodings.js';

/** More wrong characters than this among those beyond ASCII, and the declaration is not believed. */
const mostFaults = 0.05;

/**
 * Decodes bytes as they say themselves, where they bear it out: a byte order mark or valid UTF-8 beyond ASCII says more
 * than a declaration, and one that makes nonsense of them is passed over.
 *
 * @param declared a name of an encoding, known or not; found out as for other texts when absent.
 */
export function decodeDeclared(bytes: Buffer, declared: string | undefined): DecodedText {
  const encoding = declared === undefined ? undefined : encodingNamed(declared);
  // The declaration itself was read as ASCII, so what it stands in is no UTF-16.
  if (declared === undefined || encoding === undefined || /^utf-(?:16|32)/.test(encoding)) return decodeText(bytes);
  if (markedEncoding(bytes)) return decodeText(bytes);
  if (isUtf8(bytes) && !isAscii(bytes)) return encoding === 'utf-8' ? decodeText(bytes) : despite(bytes, declared);
  if (encoding === 'utf-8') return isAscii(bytes) ? decodeText(bytes) : despite(bytes, declared);
  const decoded = decodeText(bytes, encoding);
  const faults = countMatches(decoded.text, /\ufffd/g);
  const others = countMatches(decoded.text, /[^\u0000-\u007f]/g);
  return faults > others * mostFaults ? despite(bytes, declared) : decoded;
}

function despite(bytes: Buffer, declared: string): DecodedText {
  const decoded = decodeText(bytes);
  const message = `The file calls its encoding ${declared.slice(0, 40)}, which its bytes are not; it was read as ${decoded.encoding}.`;
  if (encodingNamed(declared) === decoded.encoding) return decoded;
  return { ...decoded, warnings: [{ code: 'ENCODING_NOT_AS_DECLARED', message }, ...decoded.warnings] };
}
