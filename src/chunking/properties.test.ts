import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StepParams, Strategy } from '../domain/plan/strategy.js';
import type { Chunk, ChunkLimits, CutResult, LevelLimits } from '../domain/text/chunk.js';
import { cutText, type ShortPlan } from '../testing/cut-text.js';
import { generatedDocument } from '../testing/generated-documents.js';
import { bundledModelFolder, loadReferenceTokenizer, type ReferenceTokenizer } from '../testing/reference-tokenizer.js';
import type { TokenCounter } from './token-counter.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';

let counter: TokenCounter;
let reference: ReferenceTokenizer;
beforeAll(async () => {
  counter = await loadTokenCounter(bundledModelFolder);
  reference = await loadReferenceTokenizer(bundledModelFolder);
});

const levelLimits = (tokens: readonly number[], chars: readonly number[]): fc.Arbitrary<LevelLimits> =>
  fc.record({ maxTokens: fc.constantFrom(...tokens), maxChars: fc.constantFrom(...chars) });
const limits: fc.Arbitrary<ChunkLimits> = fc.record({
  PARENT: levelLimits([64, 300, 4_096], [200, 1_000, 16_000]),
  CHILD: levelLimits([16, 64, 256], [50, 300, 2_000]),
});

const separators = fc.uniqueArray(
  fc.constantFrom('\n\n', '\n', '. ', '。', ' ', '\n# ', '|', 'e', '\u0301', '\u200d'),
  {
    minLength: 1,
    maxLength: 4,
  },
);

/** One step that is valid under the narrowest limits. */
const step: fc.Arbitrary<readonly [Strategy, StepParams]> = fc
  .record({
    strategy: fc.constantFrom<Strategy[]>(1, 2, 2, 5, 6),
    maxTokens: fc.option(fc.integer({ min: 8, max: 16 })),
    overlapTokens: fc.option(fc.integer({ min: 0, max: 7 })),
    separators: fc.option(separators),
    merge: fc.option(fc.constantFrom('FILL', 'NONE')),
    keepSeparator: fc.option(fc.constantFrom('START', 'END')),
  })
  .map(({ strategy, maxTokens, overlapTokens, ...recursive }): [Strategy, StepParams] => {
    const params = { maxTokens, ...(strategy === 6 ? {} : { overlapTokens }), ...(strategy === 2 ? recursive : {}) };
    return [strategy, Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) as StepParams];
  });
const steps = fc.array(step, { minLength: 1, maxLength: 3 });
const plan = fc.record({ parent: steps, child: steps, limits });

/** Cuts many generated documents by many plans. */
function forAll(
  runs: number,
  holds: (text: string, result: CutResult, plan: ShortPlan & { limits: ChunkLimits }) => void,
) {
  fc.assert(
    fc.property(generatedDocument, plan, (text, own) => {
      holds(text, cutText(text, own, counter), own);
    }),
    { numRuns: runs },
  );
}

const blank = /^[\s\p{Z}\p{Cc}\p{Cf}]$/u;

/** What is wrong with any chunk of either level; the tests expect nothing. */
function faults(
  { parents, children }: CutResult,
  fault: (chunk: Chunk, before: Chunk | undefined, parent: Chunk | undefined) => string | false,
): string[] {
  return [parents, children].flatMap((chunks) =>
    chunks.flatMap((chunk, index) => {
      const found = fault(chunk, chunks[index - 1], parents[chunk.parentOrdinal ?? -1]);
      return found === false ? [] : [`${chunk.level} ${index}: ${found}`];
    }),
  );
}

describe('chunks of any document by any plan', () => {
  it('are exactly their slices, numbered without a gap, and children lie in their parents', () => {
    forAll(100, (text, result) => {
      const points = Array.from(text);
      const wrong = faults(result, (chunk, before, parent) => {
        if (chunk.ordinal !== (before ? before.ordinal + 1 : 0)) return 'ordinal';
        if (chunk.text !== points.slice(chunk.charStart, chunk.charEnd).join('')) return 'no slice';
        if (chunk.rule === '' || Array.from(chunk.text).every((point) => blank.test(point))) return 'rule or text';
        if (chunk.level === 'PARENT') return false;
        return !(parent && parent.charStart <= chunk.charStart && chunk.charEnd <= parent.charEnd) && 'outside';
      });
      expect(wrong).toEqual([]);
    });
  });

  it('hold every character that can be seen, in a parent and in a child', () => {
    forAll(100, (text, { parents, children, coverage }) => {
      const visible = Array.from(text).flatMap((point, index) => (blank.test(point) ? [] : [index]));
      for (const chunks of [parents, children]) {
        const held = new Set(chunks.flatMap(({ charStart, charEnd }) => range(charStart, charEnd)));
        expect(visible.filter((index) => !held.has(index))).toEqual([]);
      }
      expect(coverage).toEqual({ complete: true, coveredChars: visible.length, omittedChars: 0, omissions: [] });
    });
  });

  it('keep to the limits as the tokenizer that embeds counts them', () => {
    forAll(50, (_, result, { limits: hard, parent = [], child = [] }) => {
      const asked = {
        PARENT: Number(parent.at(-1)?.[1]?.maxTokens ?? Infinity),
        CHILD: Number(child.at(-1)?.[1]?.maxTokens ?? Infinity),
      };
      const wrong = faults(result, ({ level, text, tokens, charStart, charEnd }) => {
        const counted = reference.count(text);
        if (tokens !== counted) return `${tokens} tokens, the model counts ${counted}`;
        if (tokens > Math.min(hard[level].maxTokens, asked[level])) return `${tokens} tokens`;
        return charEnd - charStart > hard[level].maxChars && `${charEnd - charStart} characters`;
      });
      expect(wrong).toEqual([]);
    });
  });

  it('say what they share with the chunk before, and always go on from it', () => {
    forAll(100, (_, result) => {
      const wrong = faults(result, ({ charStart, charEnd, overlapStart }, before) => {
        if (!before) return overlapStart !== 0 && 'overlap without a chunk before';
        if (overlapStart !== Math.max(0, Math.min(before.charEnd, charEnd) - charStart)) return 'overlap';
        return !(charStart > before.charStart && charEnd > before.charEnd) && 'no progress';
      });
      expect(wrong).toEqual([]);
    });
  });

  it('split a character as people see it only by force', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    forAll(100, (text, result) => {
      const whole = new Set([0]);
      let at = 0;
      for (const { segment } of segmenter.segment(text)) whole.add((at += Array.from(segment).length));
      const wrong = faults(result, (chunk, _, parent) => {
        if (whole.has(chunk.charEnd)) return false;
        const ender = parent?.charEnd === chunk.charEnd ? parent : chunk;
        return !(ender.forced && ender.rule === 'LIMIT:character') && `${ender.rule} splits at ${ender.charEnd}`;
      });
      expect(wrong).toEqual([]);
    });
  });

  it('are the same every time', () => {
    forAll(40, (text, result, own) => {
      expect(cutText(text, own, counter)).toEqual(result);
    });
  });
});

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}
