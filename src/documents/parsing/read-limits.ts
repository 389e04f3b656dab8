import { AppError } from '../../domain/errors.js';

/** What reading one source may come to. */
export interface ReadLimits {
  /** Code points of the text. */
  readonly textChars: number;
  /** Blocks of the text. */
  readonly blocks: number;
  /** Pages, slides or sheets. */
  readonly pages: number;
  /** Elements within each other. */
  readonly depth: number;
  /** Files of an archive. */
  readonly entries: number;
  /** Bytes of all parts of an archive together, unpacked. */
  readonly inflatedBytes: number;
  /** Unpacked bytes of one part for each packed one. */
  readonly inflateRatio: number;
}

/** The error of a source that goes over a limit; its message holds what was too much and the limit itself. */
export function tooLarge(limit: keyof ReadLimits, max: number, what: string): AppError {
  return new AppError('TOO_LARGE', `The file has more than ${what}.`, { limit, max });
}

/** The error of a source whose bytes are not what its format asks for. */
export function corrupt(what: string, cause?: unknown): AppError {
  return new AppError('CORRUPT', `The file is damaged: ${what}.`, {}, cause === undefined ? {} : { cause });
}
