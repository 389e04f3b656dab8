import type { FormatName } from '../formats/known-formats.js';

/** What first bytes give away: a format that can be read, a container that has to be looked into, or the name of another kind. */
export type SignedKind =
  { readonly format: FormatName } | { readonly container: 'zip' | 'ole' } | { readonly other: string };

interface Signature {
  readonly bytes: Buffer;
  /** Where they stand; from the start if absent. */
  readonly at?: number;
  readonly kind: SignedKind;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const other = (name: string, text: string, at = 0): Signature => ({ bytes: bytes(text), at, kind: { other: name } });

/** First bytes that no text has. */
const signatures: readonly Signature[] = [
  { bytes: bytes('PK\x03\x04'), kind: { container: 'zip' } },
  { bytes: bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), kind: { container: 'ole' } },
  other('archive', 'PK\x05\x06'),
  other('image', '\x89PNG'),
  other('image', '\xff\xd8\xff'),
  other('image', 'GIF87a'),
  other('image', 'GIF89a'),
  other('image', 'II*\0'),
  other('image', 'MM\0*'),
  other('image', 'WEBP', 8),
  other('video or image', 'ftyp', 4),
  other('audio', 'OggS'),
  other('audio', 'fLaC'),
  other('audio', 'ID3'),
  other('audio', 'WAVE', 8),
  other('archive', '\x1f\x8b\x08'),
  other('archive', 'BZh9'),
  other('archive', '\xfd7zXZ\0'),
  other('archive', "7z\xbc\xaf'\x1c"),
  other('archive', 'Rar!\x1a\x07'),
  other('archive', '\x28\xb5\x2f\xfd'),
  other('archive', 'ustar', 257),
  other('program', '\x7fELF'),
  other('program', '\0asm'),
  other('program', '\xca\xfe\xba\xbe'),
  other('database', 'SQLite format 3\0'),
  other('database', 'PAR1'),
];

/** Programs that read PDF look for its signature so far: mail and the web put lines in front. */
const pdfWithin = 1_024;

/** The kind of a file by its first bytes; undefined where they may be text. */
export function signedKind(head: Buffer): SignedKind | undefined {
  if (head.subarray(0, pdfWithin).includes('%PDF-')) return { format: 'pdf' };
  return signatures.find(({ bytes: signature, at = 0 }) => signature.equals(head.subarray(at, at + signature.length)))
    ?.kind;
}
