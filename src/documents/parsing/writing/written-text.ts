import type { ParseWarning } from '../../../domain/text/block.js';
import type { PackedBlocks } from '../packed-blocks.js';

/** What a reader made of a source. */
export interface WrittenText {
  readonly text: string;
  /** In order and without overlaps; offsets count code points. */
  readonly blocks: PackedBlocks;
  readonly warnings: readonly ParseWarning[];
  /** The encoding of the source and how sure it is, where bytes had to be decoded. */
  readonly encoding?: string;
  readonly encodingConfidence?: number;
}
