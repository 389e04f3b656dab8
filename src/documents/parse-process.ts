import type { ParsedText } from '../domain/text/block.js';
import { denyNetwork } from '../processes/deny-network.js';
import { serveRequests } from '../processes/serve-requests.js';
import { packBlocks, type PackedBlocks } from './parsing/packed-blocks.js';
import type { ReadLimits } from './parsing/read-limits.js';
import { readSource, type SourceDescription } from './parsing/read-source.js';
import { SourceFile } from './parsing/source-file.js';

/** A source on its way to the process that reads it. */
export interface ParseRequest extends SourceDescription {
  /** The file, which stays until the answer. */
  readonly path: string;
}

export type ParseResponse = Omit<ParsedText, 'blocks'> & { readonly blocks: PackedBlocks };

serveRequests<ReadLimits, ParseRequest, ParseResponse>((limits) => {
  denyNetwork();
  return Promise.resolve(async ({ path, ...described }) => {
    const file = await SourceFile.open(path);
    try {
      const { blocks, ...parsed } = await readSource(file, described, limits);
      return { ...parsed, blocks: packBlocks(blocks) };
    } finally {
      await file.close();
    }
  });
});
