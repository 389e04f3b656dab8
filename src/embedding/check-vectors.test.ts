import { describe, expect, it } from '@jest/globals';
import { checkVectors } from './check-vectors.js';

const good = new Float32Array([0.6, 0.8]);

describe('checkVectors', () => {
  it('takes finite vectors of the right number and dimension', () => {
    expect(() => checkVectors([good, new Float32Array([0, 1])], 2, 2)).not.toThrow();
  });

  it.each([
    ['too few vectors', [good], 2],
    ['a wrong dimension', [new Float32Array([1, 0, 0])], 1],
    ['NaN', [new Float32Array([NaN, 1])], 1],
    ['infinity', [new Float32Array([Infinity, 1])], 1],
    ['zeros', [new Float32Array(2)], 1],
  ])('refuses %s', (_, vectors, count) => {
    expect(() => checkVectors(vectors, count, 2)).toThrow(expect.objectContaining({ code: 'EMBEDDING_INVALID' }));
  });
});
