import { AppError } from '../../domain/errors.js';
import type { Block, ParsedText, ParseWarning } from '../../domain/text/block.js';
import { countMatches } from './count-matches.js';
import { decodeText } from './detect-encoding.js';
import { detectFormat, notText, type NamedSource, type TextFormat } from './detect-format.js';
import { detectLanguage } from './detect-language.js';
import { normaliseText } from './normalise-text.js';
import { parseMarkdown } from './parse-markdown.js';
import { parsePlainText } from './parse-plain-text.js';

/** A source to read. */
export interface Source extends NamedSource {
  readonly bytes: Buffer;
  /** What to read the bytes as; found out when absent. */
  readonly encoding?: string;
}

export interface ParseLimits {
  /** Most code points of a text. */
  readonly textChars: number;
  /** Most blocks of a text. */
  readonly blocks: number;
}

/**
 * Reads a source whole: bytes to text, text to blocks.
 *
 * @throws AppError EMPTY, UNSUPPORTED_TYPE, TOO_LARGE; INVALID_REQUEST for an unknown encoding.
 */
export function parseSource(source: Source, limits: ParseLimits): ParsedText {
  if (source.bytes.length === 0) throw empty('The file has no bytes.');
  const mediaType = detectFormat(source.bytes, source);
  const decoded = decodeText(source.bytes, source.encoding);
  if (isBinary(decoded.text, decoded.confidence)) throw notText();
  const { text, removed } = normaliseText(decoded.text);
  if (!/[^\s\p{Cf}]/u.test(text)) throw empty('The file holds nothing but white space.');
  refuseLength(text, limits.textChars);
  const language = detectLanguage(text);
  return {
    text,
    blocks: blocksOf(text, mediaType, limits.blocks),
    warnings: [...decoded.warnings, ...removedWarning(removed)],
    encoding: decoded.encoding,
    encodingConfidence: decoded.confidence,
    mediaType,
    ...(language ? { language } : {}),
  };
}

function blocksOf(text: string, format: TextFormat, mostBlocks: number): Block[] {
  return format === 'text/markdown' ? parseMarkdown(text, mostBlocks) : parsePlainText(text, mostBlocks);
}

function empty(message: string): AppError {
  return new AppError('EMPTY', message);
}

/** Stray control characters happen in texts; files of other kinds are full of them. */
function isBinary(text: string, confidence: number): boolean {
  const controls = countMatches(text, /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g);
  const share = controls / text.length;
  return controls > 2 && share > (confidence === 1 ? 0.1 : 0.01);
}

/** Counts only as far as it must: most texts are short enough in UTF-16 units. */
function refuseLength(text: string, most: number): void {
  if (text.length <= most) return;
  const pairs = countMatches(text, /[\ud800-\udbff]/g);
  if (text.length - pairs <= most) return;
  throw new AppError('TOO_LARGE', `The text has more than ${most} characters.`, { limit: 'textChars', max: most });
}

function removedWarning(removed: number): ParseWarning[] {
  if (removed === 0) return [];
  return [
    { code: 'CHARACTERS_REMOVED', message: `${removed} control characters and other non-characters were removed.` },
  ];
}
