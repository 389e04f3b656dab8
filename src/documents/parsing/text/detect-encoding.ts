import { isAscii, isUtf8 } from 'node:buffer';
import { AppError } from '../../../domain/errors.js';
import type { ParseWarning } from '../../../domain/text/block.js';
import { countMatches } from './count-matches.js';
import { markedEncoding } from './encoding/byte-order-mark.js';
import { guessDoubleByte, type EncodingGuess } from './encoding/double-byte.js';
import { decodeAs, encodingNamed } from './encoding/known-encodings.js';
import { guessSingleByte } from './encoding/single-byte.js';
import { utf16ByLetters, utf16ByZeros } from './encoding/utf16-without-mark.js';

/** Decoded bytes, and how sure the choice of the encoding is: 1 where a mark, the bytes themselves or a person say so. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly confidence: number;
  readonly warnings: readonly ParseWarning[];
}

/** Enough of a text to guess its encoding from. */
const sampleBytes = 131_072;

/**
 * Decodes bytes by, in this order: what the caller says, a byte order mark, zeros that give away UTF-16, strict UTF-8,
 * the letters of UTF-16, UTF-8 with a few faults, and a guess among the encodings that were common before it.
 *
 * @param asked any usual name of an encoding. @throws AppError INVALID_REQUEST if it is none.
 */
export function decodeText(bytes: Buffer, asked?: string): DecodedText {
  if (asked !== undefined) return decodeAsked(bytes, asked);
  const mark = markedEncoding(bytes);
  if (mark) return decoded(bytes.subarray(mark.length), mark.encoding, 1);
  const isReadable = isUtf8(bytes);
  const byZeros = utf16ByZeros(bytes);
  // Letters beyond ASCII that happen to be valid UTF-8 are no accident: then the zeros are only zeros.
  if (byZeros && !(isReadable && !isAscii(bytes))) {
    return guessed(bytes, { encoding: byZeros, confidence: 0.95 });
  }
  if (isReadable && !isFullOfControls(bytes)) return decoded(bytes, 'utf-8', 1);
  const byLetters = utf16ByLetters(bytes);
  if (byLetters) return guessed(bytes, { encoding: byLetters, confidence: 0.9 });
  if (isReadable) return decoded(bytes, 'utf-8', 1);
  return faultyUtf8(bytes) ?? guessed(bytes, guessLegacy(bytes));
}

function decodeAsked(bytes: Buffer, asked: string): DecodedText {
  const encoding = encodingNamed(asked);
  if (!encoding) {
    throw new AppError('INVALID_REQUEST', 'The encoding is not known.', {
      fields: [{ path: 'encoding', message: 'must be the name of a known encoding' }],
    });
  }
  return decoded(bytes, encoding, 1);
}

/** As UTF-16 of some scripts is when it is taken for ASCII. */
function isFullOfControls(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  let controls = 0;
  for (const byte of sample) if (byte < 0x09) controls += 1;
  return controls * 4 > sample.length;
}

/** Far more characters that are right than wrong: a text that was cut off, or mixed with another. */
function faultyUtf8(bytes: Buffer): DecodedText | undefined {
  const text = bytes.toString('utf8');
  const faults = countMatches(text, /\ufffd/g);
  const others = countMatches(text, /[^\u0000-\u007f\ufffd]/gu);
  if (others < 3 || faults * 3 > others) return undefined;
  const confidence = 1 - faults / (faults + others);
  return { text, encoding: 'utf-8', confidence, warnings: replacedWarning(faults, 'utf-8') };
}

function guessLegacy(bytes: Buffer): EncodingGuess {
  const sample = sampleOf(bytes);
  const single = guessSingleByte(sample);
  return guessDoubleByte(sample) ?? single;
}

/** Begins with the first line that is not plain ASCII and ends with a line or with the text. */
function sampleOf(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = bytes.lastIndexOf(0x0a, first) + 1;
  if (bytes.length - start <= sampleBytes) return bytes.subarray(start);
  const lineEnd = bytes.lastIndexOf(0x0a, start + sampleBytes);
  // A text without lines is cut anywhere: an error at its very end must not count.
  return lineEnd > first ? bytes.subarray(start, lineEnd) : evenCut(bytes, start);
}

/** A cut behind an ASCII character, where there is one. */
function evenCut(bytes: Buffer, start: number): Buffer {
  let end = start + sampleBytes;
  while (end > start + sampleBytes / 2 && ((bytes[end - 1] ?? 0) >= 0x30 || (bytes[end - 1] ?? 0) < 0x20)) end -= 1;
  return bytes.subarray(start, end);
}

function guessed(bytes: Buffer, { encoding, confidence }: EncodingGuess): DecodedText {
  const result = decoded(bytes, encoding, Math.round(confidence * 100) / 100);
  const warning = {
    code: 'ENCODING_GUESSED',
    message: `The file does not say its encoding. It was read as ${encoding}; if the text looks wrong, parse it again with another encoding.`,
  };
  return { ...result, warnings: [warning, ...result.warnings] };
}

function decoded(bytes: Buffer, encoding: string, confidence: number): DecodedText {
  const text = decodeAs(bytes, encoding);
  return { text, encoding, confidence, warnings: replacedWarning(countMatches(text, /\ufffd/g), encoding) };
}

function replacedWarning(count: number, encoding: string): ParseWarning[] {
  if (count === 0) return [];
  const message = `${count} characters are not valid ${encoding} and were replaced by U+FFFD.`;
  return [{ code: 'CHARACTERS_REPLACED', message }];
}
