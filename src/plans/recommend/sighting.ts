import type { EmbeddingModel } from '../../domain/build-spec.js';
import type { PlanFeatures } from '../../domain/plan/recommendation.js';
import type { ChunkLimits } from '../../domain/text/chunk.js';

/** All that a recommendation may look at. */
export interface Sighting {
  readonly features: PlanFeatures;
  readonly limits: ChunkLimits;
  readonly model: Pick<EmbeddingModel, 'id'>;
}

/** From this share of unknown tokens on, vectors of a model say little about a text. */
export const unreadableShare = 0.2;

const manyShare = 0.2;
const mainShare = 0.5;
const cjkEnough = 0.3;

/** There is an outline to cut along. */
export function hasSections({ features }: Sighting): boolean {
  return features.headings >= 2;
}

/** Tables, or code, are a good part of the text. */
export function hasManyTables({ features }: Sighting): boolean {
  return features.tableShare >= manyShare;
}
export function hasMuchCode({ features }: Sighting): boolean {
  return features.codeShare >= manyShare;
}

/** Tables, or code, are most of the text. */
export function isMostlyTables({ features }: Sighting): boolean {
  return features.tableShare >= mainShare;
}
export function isMostlyCode({ features }: Sighting): boolean {
  return features.codeShare >= mainShare;
}

export function isCjk({ features }: Sighting): boolean {
  return features.cjkShare >= cjkEnough;
}

/** Running text: paragraphs that hold more than one sentence, and not mainly lists. */
export function isProse({ features }: Sighting): boolean {
  return (
    features.paragraphs > 0 && features.listItems <= features.paragraphs && features.sentences > features.paragraphs
  );
}

export function modelCannotRead({ features }: Sighting): boolean {
  return features.unknownTokenShare >= unreadableShare;
}
