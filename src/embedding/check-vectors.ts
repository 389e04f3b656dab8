import { AppError } from '../domain/errors.js';
import type { Vector } from './embedder.js';

/**
 * Refuses what must not be stored: a wrong number of vectors, a wrong dimension, a value that is not finite, or a zero
 * vector, which has no direction.
 *
 * @throws AppError EMBEDDING_INVALID
 */
export function checkVectors(vectors: readonly Vector[], count: number, dimension: number): void {
  if (vectors.length !== count) {
    throw new AppError('EMBEDDING_INVALID', `The model gave ${vectors.length} vectors for ${count} texts.`);
  }
  for (const vector of vectors) {
    if (vector.length !== dimension) {
      const message = `The model gave a vector of ${vector.length} numbers where ${dimension} are expected.`;
      throw new AppError('EMBEDDING_INVALID', message, { dimension: vector.length, expected: dimension });
    }
    if (!vector.every(Number.isFinite)) {
      throw new AppError('EMBEDDING_INVALID', 'The model gave a vector with a value that is not a finite number.');
    }
    if (vector.every((value) => value === 0)) {
      throw new AppError('EMBEDDING_INVALID', 'The model gave a vector of zeros.');
    }
  }
}
