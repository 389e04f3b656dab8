import type { FormatName } from '../formats/known-formats.js';
import { formatByEnding } from './file-endings.js';

/** Formats that are text, by how they begin. Asked where the name says nothing, or something that the bytes disprove. */
const beginnings: readonly (readonly [begins: RegExp, format: FormatName])[] = [];

const textFormats: ReadonlySet<FormatName> = new Set<FormatName>([
  'plainText',
  'markdown',
  'csv',
  'tsv',
  'json',
  'jsonLines',
]);

/** The format of a file whose bytes prove nothing: it is text, or nothing that can be read. */
export function textFormat(head: Buffer, ending: string, mediaType: string | undefined): FormatName {
  const called = formatByEnding(ending);
  if (called && called !== 'plainText' && textFormats.has(called)) return called;
  const start = head.toString('latin1').replace(/^[^\x21-\x7e]+/, '');
  const found = beginnings.find(([begins]) => begins.test(start));
  if (found) return found[1];
  if (called === 'plainText') return called;
  return mediaType !== undefined && /^text\/(?:x-)?markdown\b/i.test(mediaType) ? 'markdown' : 'plainText';
}
