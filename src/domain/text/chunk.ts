import type { Level } from '../plan/strategy.js';

/** Raised whenever a change makes the same plan cut the same text differently. */
export const chunkerVersion = 1;

/** Hard limits of one level. Tokens are those of the embedding model, special tokens included. */
export interface LevelLimits {
  readonly maxTokens: number;
  /** Code points; bounds texts whose words become single unknown tokens. */
  readonly maxChars: number;
}
export type ChunkLimits = Readonly<Record<Level, LevelLimits>>;

/** One piece of a parsed text. Offsets count code points of that text, half open, and `text` is exactly that slice. */
export interface Chunk {
  readonly level: Level;
  /** Position among the chunks of its level, from 0 without a gap. */
  readonly ordinal: number;
  /** The parent that holds it; absent on parents. */
  readonly parentOrdinal?: number;
  readonly charStart: number;
  readonly charEnd: number;
  readonly text: string;
  /** Token count of `text` for the embedding model, special tokens included. */
  readonly tokens: number;
  /** Code points shared with the chunk before it, inside its range. */
  readonly overlapStart: number;
  /** Headings above it, outermost first. */
  readonly headingPath: readonly string[];
  /** What helps to read it but is not part of its slice. */
  readonly context?: { readonly tableHeader?: string };
  /** Name of the rule that made its end cut, for example `STRUCTURE:heading` or `RECURSIVE:\n\n`. */
  readonly rule: string;
  /** True where a hard limit forced a cut inside a unit that the rule would keep whole. */
  readonly forced?: boolean;
  readonly pages?: readonly number[];
}

/** A stretch of text that no chunk holds, and why. */
export interface Omission {
  readonly charStart: number;
  readonly charEnd: number;
  readonly reason: string;
}

/** Proof that nothing is lost: every non-blank code point is in a parent and in a child, or in an omission. */
export interface Coverage {
  readonly complete: boolean;
  /** Non-blank code points that are in a parent and in a child. */
  readonly coveredChars: number;
  readonly omittedChars: number;
  readonly omissions: readonly Omission[];
}

/** What cutting one text by one plan gives. */
export interface CutResult {
  readonly parents: readonly Chunk[];
  readonly children: readonly Chunk[];
  readonly coverage: Coverage;
}
