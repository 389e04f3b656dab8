import type { BuildSpec, EmbeddingModel } from '../domain/build-spec.js';
import { normaliserVersion, parserVersion } from '../domain/text/block.js';
import { chunkerVersion, type ChunkLimits } from '../domain/text/chunk.js';
import type { FreezeSpec } from './index-task.js';

export interface SpecTerms {
  readonly limits: ChunkLimits;
  readonly model: EmbeddingModel;
  readonly segmenterVersion: number;
}

/** Freezes plans as they would be built by this version of the service under these terms. */
export function freezeUnder({ limits, model, segmenterVersion }: SpecTerms): FreezeSpec {
  return ({ plan, sourceHash, textRevision }: Parameters<FreezeSpec>[0]): BuildSpec => ({
    steps: plan.steps,
    limits,
    textRevision,
    sourceHash,
    parserVersion,
    normaliserVersion,
    chunkerVersion,
    segmenterVersion,
    model,
  });
}
