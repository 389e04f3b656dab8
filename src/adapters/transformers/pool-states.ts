import type { EmbeddingModel } from '../../domain/build-spec.js';
import type { Vector } from '../../embedding/embedder.js';

/**
 * One vector of length 1 from the vectors of a text's tokens.
 *
 * @param states token after token, `dimension` numbers each
 */
export function poolStates(states: Float32Array, dimension: number, pooling: EmbeddingModel['pooling']): Vector {
  // The length is set at the end, so that the sum does as well as the mean.
  const vector = pooling === 'cls' ? states.slice(0, dimension) : sumOf(states, dimension);
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}

function sumOf(states: Float32Array, dimension: number): Vector {
  const sum = new Float64Array(dimension);
  for (let at = 0; at < states.length; at += dimension) {
    for (let k = 0; k < dimension; k += 1) sum[k] = (sum[k] ?? 0) + (states[at + k] ?? 0);
  }
  return Float32Array.from(sum);
}
