import type { FormatName } from '../formats/known-formats.js';
import { formatByEnding } from './file-endings.js';
import { startsAsMessage } from './message-start.js';

/** A way in which files of a format begin. */
interface Beginning {
  readonly format: FormatName;
  readonly begins: (start: string) => boolean;
  /** Whether it is believed against the ending of the name: always, if that is of plain text, or never. */
  readonly against: 'any' | 'plainText' | 'none';
}

const page = /^(?:<\?xml\b[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype\s+html|html[\s>])/i;
const flatDocument = /^(?:<\?xml\b[^>]*>\s*)?<office:document\s[^>]*"application\/vnd\.oasis\.opendocument\.text"/;
const pieceOfPage = /^<(?:head|body|meta|title|style|script|table|div|center)[\s>]/i;

const beginnings: readonly Beginning[] = [
  { format: 'html', begins: (start) => page.test(start), against: 'any' },
  { format: 'rtf', begins: (start) => start.startsWith('{\\rtf'), against: 'any' },
  { format: 'flatOdt', begins: (start) => flatDocument.test(start), against: 'any' },
  { format: 'eml', begins: startsAsMessage, against: 'plainText' },
  { format: 'html', begins: (start) => pieceOfPage.test(start), against: 'none' },
];

const textFormats: ReadonlySet<FormatName> = new Set<FormatName>([
  'plainText',
  'markdown',
  'csv',
  'tsv',
  'json',
  'jsonLines',
  'html',
  'eml',
  'flatOdt',
]);

/** The format of a file whose bytes prove nothing: it is text, or nothing that can be read. */
export function textFormat(head: Buffer, ending: string, mediaType: string | undefined): FormatName {
  const ended = formatByEnding(ending);
  const called = ended && textFormats.has(ended) ? ended : undefined;
  // UTF-16 has zeros between the letters.
  const letters = head.toString('latin1').replaceAll('\0', '');
  const start = letters.replace(/^[^\x21-\x7e]+/, '');
  const found = beginnings.find(
    ({ begins, against }) => (called === undefined || against === 'any' || against === called) && begins(start),
  );
  return found?.format ?? called ?? formatByMediaType(mediaType);
}

function formatByMediaType(mediaType = ''): FormatName {
  if (/^text\/(?:x-)?markdown\b/i.test(mediaType)) return 'markdown';
  if (/^message\/rfc822\b/i.test(mediaType)) return 'eml';
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(mediaType) ? 'html' : 'plainText';
}
