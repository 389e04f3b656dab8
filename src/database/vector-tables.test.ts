import { describe, expect, it } from '@jest/globals';
import { maxDimension, vectorTable } from './vector-tables.js';

describe('vectorTable', () => {
  it('names one table per dimension', () => {
    expect(vectorTable(384)).toBe('chunk_vector_384');
    expect(vectorTable(maxDimension)).toBe(`chunk_vector_${maxDimension}`);
  });

  it.each([
    0,
    -1,
    1.5,
    maxDimension + 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '3; drop table task' as unknown as number,
  ])('refuses %p, which is no dimension', (dimension) => {
    expect(() => vectorTable(dimension)).toThrow(RangeError);
  });
});
