import { AppError } from '../../../domain/errors.js';
import { corrupt, type ReadLimits } from '../read-limits.js';
import type { SourceFile } from '../source-file.js';
import { DocumentWriter } from '../writing/document-writer.js';
import type { WrittenText } from '../writing/written-text.js';

/** A source to be read by its format's reader. */
export interface OpenSource {
  readonly file: SourceFile;
  /** What to read its bytes as, where its format does not say so itself; found out when absent. */
  readonly encoding?: string;
  /** As the uploader gave it, perhaps with the encoding. */
  readonly mediaType?: string;
}

/** Reads a source of one format. @throws AppError EMPTY, NO_TEXT, ENCRYPTED, CORRUPT, TOO_LARGE. */
export type FormatReader = (source: OpenSource, limits: ReadLimits) => Promise<WrittenText>;

/** A kind of file that can be read. */
export interface Format {
  /** As people call it. */
  readonly name: string;
  readonly mediaType: string;
  /** Endings of file names, the usual one first. */
  readonly endings: readonly string[];
  /** Loads the reader: most processes need few of them. */
  load(): Promise<FormatReader>;
}

/** A reader that writes what it finds, piece by piece. */
export function writing(
  read: (source: OpenSource, out: DocumentWriter, limits: ReadLimits) => Promise<void>,
): FormatReader {
  return async (source, limits) => {
    const out = new DocumentWriter(limits);
    try {
      await read(source, out, limits);
    } catch (error) {
      // Libraries break down in many ways over bytes that nobody foresaw.
      throw error instanceof AppError ? error : corrupt('its contents do not make sense', error);
    }
    return out.finish();
  };
}
