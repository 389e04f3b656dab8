import type { PlanStep } from './plan/strategy.js';
import type { ChunkLimits } from './text/chunk.js';

/** What identifies the vectors of an embedding model. */
export interface EmbeddingModel {
  readonly id: string;
  readonly dimension: number;
  /** Longest text in tokens, special tokens included. */
  readonly maxTokens: number;
  readonly pooling: 'mean' | 'cls';
  readonly queryPrefix: string;
  readonly passagePrefix: string;
}

/** Everything that changes what a build writes, frozen on its task. Plain JSON. */
export interface BuildSpec {
  readonly steps: readonly PlanStep[];
  readonly limits: ChunkLimits;
  readonly textRevision: number;
  readonly sourceHash: string;
  readonly parserVersion: number;
  readonly normaliserVersion: number;
  readonly chunkerVersion: number;
  readonly segmenterVersion: number;
  readonly model: EmbeddingModel;
}
