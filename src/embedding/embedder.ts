import type { EmbeddingModel } from '../domain/build-spec.js';

/** One text's vector: `dimension` finite numbers, length 1. */
export type Vector = Float32Array;

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
   * @throws AppError EMBEDDING_FAILED (transient: a process died or was too slow), EMBEDDING_INVALID (wrong count,
   *   dimension, not finite, or zero); the signal's reason when aborted.
   */
  embed(texts: readonly string[], purpose: 'query' | 'passage', signal?: AbortSignal): Promise<Vector[]>;
  stop(): Promise<void>;
}
