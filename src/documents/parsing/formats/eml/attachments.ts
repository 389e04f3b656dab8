import type { Attachment } from 'postal-mime';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { oneLine } from '../../writing/markdown-lines.js';

const mostNamed = 20;
const longestName = 100;

/** Lists the attachments of a message, none of which is read. */
export function tellAttachments(attachments: readonly Attachment[], out: DocumentWriter): void {
  if (attachments.length === 0) return;
  const named = attachments.slice(0, mostNamed).map(describe).join('; ');
  const more = attachments.length > mostNamed ? '; …' : '';
  const what = attachments.length === 1 ? '1 attachment was' : `${attachments.length} attachments were`;
  out.warn('ATTACHMENTS_LEFT_OUT', `${what} left out: ${named}${more}.`);
}

function describe({ filename, mimeType, content }: Attachment): string {
  const bytes = typeof content === 'string' ? content.length : content.byteLength;
  const name = oneLine(filename ?? '').slice(0, longestName) || 'without a name';
  return `${name} (${mimeType.slice(0, longestName)}, ${size(bytes)})`;
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
