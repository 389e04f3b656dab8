import type { EmbeddingModel } from '../domain/build-spec.js';
import type { ChunkLimits } from '../domain/text/chunk.js';

/** What plans of this installation must keep to. */
export interface PlanTerms {
  readonly limits: ChunkLimits;
  /** Most steps in a plan. */
  readonly maxSteps: number;
  readonly model: Pick<EmbeddingModel, 'id'>;
}
