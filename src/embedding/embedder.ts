import type { EmbeddingModel } from '../domain/build-spec.js';
import { AppError } from '../domain/errors.js';

/** One text's vector: `dimension` finite numbers, length 1. */
export type Vector = Float32Array;

/** The process that computed died, ran out of memory or was too slow. A smaller batch may get through. */
export class EmbedderLost extends AppError {
  override readonly name = 'EmbedderLost';

  constructor(cause: Error) {
    super('EMBEDDING_FAILED', cause.message, {}, { cause });
  }
}

/**
 * Turns texts into vectors of one model. The same text always gives the same vector, whatever its neighbours.
 */
export interface Embedder {
  readonly model: EmbeddingModel;
  /** Loads the model. Rejects with MODEL_NOT_AVAILABLE and one clear sentence if it is not there. */
  start(): Promise<void>;
  /**
   * Vectors in the order of the texts. Each text must be within the model's token limit.
   *
   * @throws EmbedderLost. @throws AppError EMBEDDING_FAILED (transient), EMBEDDING_INVALID (wrong count,
   *   dimension, not finite, or zero); the signal's reason when aborted.
   */
  embed(texts: readonly string[], purpose: 'query' | 'passage', signal?: AbortSignal): Promise<Vector[]>;
  stop(): Promise<void>;
}
