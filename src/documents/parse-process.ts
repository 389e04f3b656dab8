import type { ParsedText } from '../domain/text/block.js';
import { serveRequests } from '../processes/serve-requests.js';
import { packBlocks, type PackedBlocks } from './parsing/packed-blocks.js';
import { parseSource, type ParseLimits } from './parsing/parse-source.js';

/** A source on its way to the process that reads it. */
export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mediaType?: string;
  readonly encoding?: string;
}

export type ParseResponse = Omit<ParsedText, 'blocks'> & { readonly blocks: PackedBlocks };

serveRequests<ParseLimits, ParseRequest, ParseResponse>((limits) =>
  Promise.resolve(({ bytes, ...source }) => {
    const { blocks, ...parsed } = parseSource(
      { ...source, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      limits,
    );
    return Promise.resolve({ ...parsed, blocks: packBlocks(blocks) });
  }),
);
