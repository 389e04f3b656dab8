import type { ReadLimits } from '../read-limits.js';
import { readDecoded } from '../text/read-decoded.js';
import type { DocumentWriter } from '../writing/document-writer.js';
import { writing, type FormatReader } from './format.js';

/**
 * A reader of a format that is text: gets its characters, with `\n` for every line end, and writes what it finds.
 *
 * @param declaredIn finds the encoding that bytes or their sender declare, in formats that can.
 */
export function writingDecoded(
  read: (text: string, out: DocumentWriter, limits: ReadLimits) => Promise<void> | void,
  declaredIn?: (bytes: Buffer, mediaType?: string) => string | undefined,
): FormatReader {
  return async (source, limits) => {
    const { text, encoding, confidence, warnings } = await readDecoded(source.file, source.encoding, (bytes) =>
      declaredIn?.(bytes, source.mediaType),
    );
    const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
    const written = await writing(async (_, out) => read(lines, out, limits))(source, limits);
    return { ...written, warnings: [...warnings, ...written.warnings], encoding, encodingConfidence: confidence };
  };
}
