import { AppError } from '../../domain/errors.js';

/** Formats that can be read, by the media type that documents of them have. */
export type TextFormat = 'text/markdown' | 'text/plain';

const markdownEndings = new Set(['md', 'markdown', 'mdown', 'mkd', 'mkdn']);
const plainEndings = new Set(['', 'txt', 'text', 'log']);

/** Endings of other formats, by the name people know them by. */
const otherEndings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    PDF: 'pdf',
    Word: 'doc docx docm dot dotx',
    Excel: 'xls xlsx xlsm xlsb',
    PowerPoint: 'ppt pptx pptm pps ppsx',
    OpenDocument: 'odt ods odp odg',
    'Rich Text': 'rtf',
    Pages: 'pages numbers key',
    HTML: 'html htm xhtml mht mhtml',
    XML: 'xml svg',
    CSV: 'csv tsv',
    JSON: 'json jsonl ndjson ipynb',
    'e-book': 'epub mobi azw3',
    'e-mail': 'eml msg mbox',
    image: 'png jpg jpeg gif bmp tif tiff webp ico heic avif psd',
    audio: 'mp3 wav ogg flac m4a aac',
    video: 'mp4 mov avi mkv webm wmv',
    archive: 'zip gz tgz tar bz2 xz 7z rar zst jar',
    program: 'exe dll so dylib bin class wasm',
    database: 'sqlite db parquet',
  }).flatMap(([name, endings]) => endings.split(' ').map((ending) => [ending, name] as const)),
);

const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')];

/** First bytes that no text has, by format. */
const signatures: readonly (readonly [name: string, bytes: readonly number[], at?: number])[] = [
  ['PDF', ascii('%PDF-')],
  ['Zip or Office', ascii('PK\x03\x04')],
  ['archive', ascii('PK\x05\x06')],
  ['Office', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['Rich Text', ascii('{\\rtf')],
  ['image', [0x89, 0x50, 0x4e, 0x47]],
  ['image', [0xff, 0xd8, 0xff]],
  ['image', ascii('GIF87a')],
  ['image', ascii('GIF89a')],
  ['image', ascii('II*\0')],
  ['image', ascii('MM\0*')],
  ['image', ascii('WEBP'), 8],
  ['video', ascii('ftyp'), 4],
  ['audio', ascii('OggS')],
  ['audio', ascii('fLaC')],
  ['archive', [0x1f, 0x8b, 0x08]],
  ['archive', ascii('BZh9')],
  ['archive', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['archive', ascii('Rar!\x1a\x07')],
  ['archive', [0x28, 0xb5, 0x2f, 0xfd]],
  ['program', [0x7f, 0x45, 0x4c, 0x46]],
  ['program', ascii('\0asm')],
  ['program', [0xca, 0xfe, 0xba, 0xbe]],
  ['database', ascii('SQLite format 3\0')],
];

/** What a file calls itself. */
export interface NamedSource {
  readonly fileName: string;
  /** As the uploader gave it; asked where the name does not tell. */
  readonly mediaType?: string;
}

/**
 * How a source is to be read, by its first bytes and the ending of its name.
 *
 * @throws AppError UNSUPPORTED_TYPE, with the name of the format where it is known.
 */
export function detectFormat(bytes: Uint8Array, { fileName, mediaType }: NamedSource): TextFormat {
  const signed = signatures.find(([, signature, at = 0]) => signature.every((byte, i) => bytes[at + i] === byte));
  if (signed) throw unsupported(signed[0]);
  const ending = endingOf(fileName);
  if (markdownEndings.has(ending)) return 'text/markdown';
  const other = otherEndings.get(ending);
  if (other) throw unsupported(other);
  if (plainEndings.has(ending)) return ending === '' ? bySelf(bytes, mediaType) : 'text/plain';
  return bySelf(bytes, mediaType);
}

/** The file is not text, whatever it is called. */
export function notText(): AppError {
  return new AppError('UNSUPPORTED_TYPE', 'The file is not text. Markdown and plain text can be read.');
}

function unsupported(name: string): AppError {
  return new AppError('UNSUPPORTED_TYPE', `This is a file of the kind "${name}". Markdown and plain text can be read.`);
}

/** A name without an ending, or with one that nobody knows, says nothing: then the text and its sender are asked. */
function bySelf(bytes: Uint8Array, mediaType: string | undefined): TextFormat {
  const start = Buffer.from(bytes.subarray(0, 512))
    .toString('latin1')
    .replace(/^[^\x21-\x7e]+/, '');
  if (/^<!doctype html|^<html[\s>]/i.test(start)) throw unsupported('HTML');
  if (/^<\?xml\s/.test(start)) throw unsupported('XML');
  return mediaType !== undefined && /^text\/(?:x-)?markdown\b/i.test(mediaType) ? 'text/markdown' : 'text/plain';
}

function endingOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase();
}
