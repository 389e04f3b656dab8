import { denyNetwork } from '../processes/deny-network.js';
import { serveRequests } from '../processes/serve-requests.js';
import type { ReadLimits } from './parsing/read-limits.js';
import { readSource, type ReadText, type SourceDescription } from './parsing/read-source.js';
import { SourceFile } from './parsing/source-file.js';
import { writeText } from './text-file.js';

/** A source on its way to the process that reads it. */
export interface ParseRequest extends SourceDescription {
  /** The file, which stays until the answer. */
  readonly path: string;
  /** Where its text is to be put: a message of that size would be held twice by both processes. */
  readonly textPath: string;
}

export type ParseResponse = Omit<ReadText, 'text'>;

serveRequests<ReadLimits, ParseRequest, ParseResponse>((limits) => {
  denyNetwork();
  return Promise.resolve(async ({ path, textPath, ...described }) => {
    const file = await SourceFile.open(path);
    try {
      const { text, ...parsed } = await readSource(file, described, limits);
      await writeText(textPath, text);
      return parsed;
    } finally {
      await file.close();
    }
  });
});
