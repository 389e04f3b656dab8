import type { FormatName } from '../formats/known-formats.js';
import { formatByEnding } from './file-endings.js';

/** A way in which files of a format begin. */
interface Beginning {
  readonly format: FormatName;
  readonly begins: RegExp;
  /** Texts of other formats may begin so, too: asked only where the name is of no text format. */
  readonly isWeak?: boolean;
}

const beginnings: readonly Beginning[] = [
  { format: 'html', begins: /^(?:<\?xml\b[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype\s+html|html[\s>])/i },
  { format: 'html', begins: /^<(?:head|body|meta|title|style|script|table|div|center)[\s>]/i, isWeak: true },
];

const textFormats: ReadonlySet<FormatName> = new Set<FormatName>([
  'plainText',
  'markdown',
  'csv',
  'tsv',
  'json',
  'jsonLines',
  'html',
]);

/** The format of a file whose bytes prove nothing: it is text, or nothing that can be read. */
export function textFormat(head: Buffer, ending: string, mediaType: string | undefined): FormatName {
  const ended = formatByEnding(ending);
  const called = ended && textFormats.has(ended) ? ended : undefined;
  // UTF-16 has zeros between the letters.
  const start = head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^[^\x21-\x7e]+/, '');
  const found = beginnings.find(({ begins, isWeak }) => !(isWeak && called) && begins.test(start));
  if (found) return found.format;
  return called ?? formatByMediaType(mediaType);
}

function formatByMediaType(mediaType = ''): FormatName {
  if (/^text\/(?:x-)?markdown\b/i.test(mediaType)) return 'markdown';
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(mediaType) ? 'html' : 'plainText';
}
