import type { Range } from './source-text.js';

/** A part of a text on its way to become a chunk. */
export interface Piece extends Range {
  /** What made its end. */
  readonly rule: string;
  /** True where its end cuts through something that should be whole. */
  readonly forced?: boolean;
}
