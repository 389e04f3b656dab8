import { encodingNamed, streamDecoder } from '../text/encoding/known-encodings.js';

const declaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;
/** A declaration is shorter. */
const headBytes = 200;

/**
 * Decodes XML as it comes: by its byte order mark, the zeros of UTF-16, or its declaration; else as UTF-8. Called without
 * bytes at the end.
 */
export function xmlDecoder(): (part?: Buffer) => string {
  let decode: ((part?: Buffer) => string) | undefined;
  let head = Buffer.alloc(0);
  return (part) => {
    if (decode) return decode(part);
    head = part ? Buffer.concat([head, part]) : head;
    if (part && head.length < headBytes) return '';
    decode = streamDecoder(encodingOf(head));
    return decode(head) + (part ? '' : decode());
  };
}

function encodingOf(head: Buffer): string {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0x3c && head[1] === 0)) return 'utf-16le';
  if ((head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0 && head[1] === 0x3c)) return 'utf-16be';
  const declared = declaration.exec(head.toString('latin1', 0, headBytes))?.[1];
  const known = declared === undefined ? undefined : encodingNamed(declared);
  // Written in single bytes, so it cannot be UTF-16.
  return known === undefined || /^utf-(?:16|32)/.test(known) ? 'utf-8' : known;
}
