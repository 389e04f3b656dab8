import { AppError } from '../../domain/errors.js';
import type { ParsedText } from '../../domain/text/block.js';
import { detectFormat, type NamedSource } from './detection/detect-format.js';
import { knownFormats } from './formats/known-formats.js';
import type { PackedBlocks } from './packed-blocks.js';
import type { ReadLimits } from './read-limits.js';
import type { SourceFile } from './source-file.js';
import { detectLanguage } from './text/detect-language.js';

export interface SourceDescription extends NamedSource {
  /** What to read the bytes as; found out when absent. */
  readonly encoding?: string;
}

/** A parsed text whose blocks are packed for their way between processes. */
export type ReadText = Omit<ParsedText, 'blocks'> & { readonly blocks: PackedBlocks };

/**
 * Reads a source whole: bytes to text and blocks.
 *
 * @throws AppError EMPTY, NO_TEXT, UNSUPPORTED_TYPE, ENCRYPTED, CORRUPT, TOO_LARGE; INVALID_REQUEST for an unknown encoding.
 */
export async function readSource(
  file: SourceFile,
  described: SourceDescription,
  limits: ReadLimits,
): Promise<ReadText> {
  if (file.sizeBytes === 0) throw new AppError('EMPTY', 'The file has no bytes.');
  const detected = await detectFormat(file, described, limits);
  const format = knownFormats[detected.format];
  const read = await format.load();
  const { encoding, mediaType } = described;
  const given = { ...(encoding === undefined ? {} : { encoding }), ...(mediaType === undefined ? {} : { mediaType }) };
  const written = await read({ file, ...given }, limits);
  if (!/[^\s\p{Cf}]/u.test(written.text))
    throw new AppError('NO_TEXT', `The file holds no text (read as ${format.name}).`);
  const language = detectLanguage(written.text);
  return {
    ...written,
    warnings: [...detected.warnings, ...written.warnings],
    mediaType: format.mediaType,
    ...(language ? { language } : {}),
  };
}
