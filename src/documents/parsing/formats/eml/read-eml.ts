import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { AppError } from '../../../../domain/errors.js';
import { corrupt, tooLarge, type ReadLimits } from '../../read-limits.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { Omissions } from '../../writing/omissions.js';
import { cellText, writePieces, type Piece } from '../../writing/pieces.js';
import { countMatches } from '../../text/count-matches.js';
import { writing, type OpenSource } from '../format.js';
import { readPage } from '../html/read-page.js';
import { tellAttachments } from './attachments.js';
import { mendedMessage } from './message-bytes.js';
import { headerValue, writeHeader } from './message-header.js';
import { plainBody } from './plain-body.js';

/** Parts within each other that the reader of messages can take. */
const deepestParts = 100;
const mostHeaderBytes = 1024 * 1024;

/** A message: its subject as heading, who wrote it to whom and when, and its text. A page that was saved as one is a page. */
export const readEml = writing(async (source, out, limits) => {
  const message = await parseMessage(source, limits);
  refuseUnreadable(message);
  if (message.headers.some(({ key }) => key === 'snapshot-content-location')) writeSavedPage(message, out);
  else {
    writeHeader(message, out);
    const { pieces, omissions } = body(message);
    writePieces(pieces, out);
    const apart = message.attachments.filter((part) => !isPicture(part));
    tellAttachments(apart, out);
    omissions.tell(out);
  }
  const replaced = countMatches(message.html ?? message.text ?? '', /\ufffd/g);
  if (replaced === 0) return;
  out.warn('CHARACTERS_REPLACED', `${replaced} characters could not be read and were replaced by U+FFFD.`);
});

async function parseMessage({ file, encoding }: OpenSource, limits: ReadLimits): Promise<Email> {
  const maxNestingDepth = Math.min(limits.depth, deepestParts);
  try {
    return await PostalMime.parse(mendedMessage(await file.readAll(), encoding), {
      maxNestingDepth,
      maxHeadersSize: mostHeaderBytes,
      forceRfc822Attachments: true,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.includes('nesting depth'))
      throw tooLarge('depth', maxNestingDepth, `${maxNestingDepth} parts within each other`);
    if (!/header/i.test(message)) throw error;
    throw new AppError('TOO_LARGE', `The file has more than ${mostHeaderBytes} bytes of headers.`, {
      limit: 'headerBytes',
      max: mostHeaderBytes,
    });
  }
}

const usualHeaders: ReadonlySet<string> = new Set(
  'from to cc subject date received message-id mime-version content-type'.split(' '),
);

function refuseUnreadable(message: Email): void {
  if (!message.headers.some(({ key }) => usualHeaders.has(key)))
    throw corrupt('it has none of the headers of a message');
  const type = headerValue(message, 'content-type').toLowerCase();
  const isSealed = /^application\/(?:x-)?pkcs7-mime\b/.test(type) && !/smime-type\s*=\s*"?signed/.test(type);
  if (isSealed || type.startsWith('multipart/encrypted')) throw new AppError('ENCRYPTED', 'The message is encrypted.');
}

/** The body with markup, unless it says far less than the one without. */
function body({ html = '', text = '' }: Email): { readonly pieces: readonly Piece[]; readonly omissions: Omissions } {
  const plain = plainBody(text);
  const omissions = new Omissions();
  if (html.trim() === '') return { pieces: plain, omissions };
  const { pieces } = readPage(html, omissions, { isXhtml: false, isWhole: true });
  const isStub = cellText(pieces).length * 2 < cellText(plain).length;
  return isStub ? { pieces: plain, omissions: new Omissions() } : { pieces, omissions };
}

function writeSavedPage({ html = '', subject = '' }: Email, out: DocumentWriter): void {
  const omissions = new Omissions();
  const { pieces, title } = readPage(html, omissions, { isXhtml: false });
  const hasTop = pieces.some((piece) => piece.kind === 'heading' && piece.level === 1);
  if (!hasTop && pieces.length > 0) out.heading(1, title || subject);
  writePieces(pieces, out);
  omissions.tell(out);
}

/** Pictures within the text are counted where they stand. */
function isPicture({ related, mimeType }: Attachment): boolean {
  return related === true && mimeType.startsWith('image/');
}
