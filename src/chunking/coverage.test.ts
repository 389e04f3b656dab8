import { describe, expect, it } from '@jest/globals';
import { proveCoverage } from './coverage.js';
import { CodePoints } from './text/code-points.js';

const span = (charStart: number, charEnd: number): { charStart: number; charEnd: number } => ({ charStart, charEnd });
const prove = (
  text: string,
  parents: readonly [number, number][],
  children: readonly [number, number][],
  omissions: readonly { charStart: number; charEnd: number; reason: string }[] = [],
): ReturnType<typeof proveCoverage> => {
  const chunks = { parents: parents.map((each) => span(...each)), children: children.map((each) => span(...each)) };
  return proveCoverage(text, new CodePoints(text), chunks, omissions);
};

describe('the coverage proof', () => {
  it('is complete when all that can be seen is in a parent and in a child', () => {
    const proof = prove(
      'ab cd \u200b🌸\n',
      [[0, 8]],
      [
        [0, 2],
        [3, 5],
        [7, 8],
      ],
    );
    expect(proof).toEqual({ complete: true, coveredChars: 5, omittedChars: 0, omissions: [] });
  });

  it('finds what is in no child, what is in no parent, and what is in neither', () => {
    expect(
      prove(
        'ab cd ef',
        [
          [0, 5],
          [6, 8],
        ],
        [
          [0, 2],
          [6, 8],
        ],
      ),
    ).toEqual({
      complete: false,
      coveredChars: 4,
      omittedChars: 2,
      omissions: [{ charStart: 2, charEnd: 6, reason: 'lost' }],
    });
    expect(
      prove(
        'ab cd',
        [[0, 2]],
        [
          [0, 2],
          [3, 5],
        ],
      ).complete,
    ).toBe(false);
    expect(prove('🌸🌸', [], [])).toMatchObject({ complete: false, omittedChars: 2, coveredChars: 0 });
  });

  it('takes a listed omission for what it says, and counts it', () => {
    const omission = { charStart: 3, charEnd: 5, reason: 'navigation' };
    expect(
      prove(
        'ab cd ef',
        [
          [0, 2],
          [6, 8],
        ],
        [
          [0, 2],
          [6, 8],
        ],
        [omission],
      ),
    ).toEqual({
      complete: true,
      coveredChars: 4,
      omittedChars: 2,
      omissions: [omission],
    });
  });

  it('counts what overlaps once', () => {
    expect(
      prove(
        'abcdef',
        [[0, 6]],
        [
          [0, 4],
          [2, 6],
        ],
      ),
    ).toMatchObject({ complete: true, coveredChars: 6 });
  });
});
