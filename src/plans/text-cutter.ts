import type { PlanFeatures } from '../domain/plan/recommendation.js';
import type { PlanStep } from '../domain/plan/strategy.js';
import type { Block } from '../domain/text/block.js';
import type { ChunkLimits, CutResult } from '../domain/text/chunk.js';

/** A parsed text with its structure. */
export interface StructuredText {
  readonly text: string;
  readonly blocks: readonly Block[];
}

export interface TextAndPlan extends StructuredText {
  readonly steps: readonly PlanStep[];
  readonly limits: ChunkLimits;
}

/**
 * Cuts and measures texts for the embedding model that is configured. The same text and the same steps always give the
 * same chunks: what a preview shows is what a build writes.
 */
export interface TextCutter {
  cut(input: TextAndPlan, signal?: AbortSignal): Promise<CutResult>;
  measure(input: StructuredText, signal?: AbortSignal): Promise<PlanFeatures>;
}
