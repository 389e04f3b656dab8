import { knownFormats, type FormatName } from '../formats/known-formats.js';

/** Endings of formats that cannot be read, by the name people know them by. */
const otherEndings: ReadonlyMap<string, string> = byEnding({
  'old Word': 'doc dot',
  'old Excel': 'xls xlt',
  'old PowerPoint': 'ppt pps pot',
  'binary Excel': 'xlsb',
  'OpenDocument other than text': 'ods odp odg',
  'Apple iWork': 'pages numbers key',
  XML: 'xml svg',
  'e-book other than EPUB': 'mobi azw3',
  'Outlook message': 'msg',
  mailbox: 'mbox pst',
  image: 'png jpg jpeg gif bmp tif tiff webp ico heic avif psd',
  audio: 'mp3 wav ogg flac m4a aac',
  video: 'mp4 mov avi mkv webm wmv',
  archive: 'zip gz tgz tar bz2 xz 7z rar zst jar',
  program: 'exe dll so dylib bin class wasm',
  database: 'sqlite db parquet',
});

const formatEndings: ReadonlyMap<string, FormatName> = new Map(
  Object.entries(knownFormats).flatMap(([name, { endings }]) =>
    endings.map((ending) => [ending, name as FormatName] as const),
  ),
);

/** The ending of a file name, in lower case and without its dot; empty if it has none. */
export function endingOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase();
}

/** The format that a file calls itself by its ending. */
export function formatByEnding(ending: string): FormatName | undefined {
  return formatEndings.get(ending);
}

/** The kind that an ending stands for and that cannot be read. */
export function otherKindByEnding(ending: string): string | undefined {
  return otherEndings.get(ending);
}

function byEnding(kinds: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(kinds).flatMap(([name, endings]) => endings.split(' ').map((ending) => [ending, name] as const)),
  );
}
