import { describe, expect, it } from '@jest/globals';
import { validateSteps } from '../../chunking/validate-steps.js';
import type { PlanFeatures } from '../../domain/plan/recommendation.js';
import { snapshotOf } from '../../domain/plan/strategy-snapshot.js';
import { Level, type PlanStep } from '../../domain/plan/strategy.js';
import type { ChunkLimits } from '../../domain/text/chunk.js';
import fc from 'fast-check';
import { cuttingRules } from './cutting-rules.js';
import { noteRules, warningRules } from './note-rules.js';
import { recommendPlan } from './recommendation.js';
import type { Sighting } from './sighting.js';

const limits: ChunkLimits = {
  PARENT: { maxTokens: 4_096, maxChars: 16_000 },
  CHILD: { maxTokens: 256, maxChars: 2_000 },
};
const model = { id: 'all-MiniLM-L6-v2' };

/** A flat English text of a few pages. */
const prose: PlanFeatures = {
  chars: 24_000,
  tokens: 5_200,
  headings: 0,
  headingDepth: 0,
  sectionTokensMedian: 5_200,
  sectionTokensMax: 5_200,
  paragraphs: 60,
  listItems: 0,
  tables: 0,
  tableShare: 0,
  codeShare: 0,
  sentences: 240,
  sentenceTokensMedian: 20,
  sentenceTokensMax: 70,
  cjkShare: 0,
  unknownTokenShare: 0.001,
};
const manual: PlanFeatures = {
  ...prose,
  headings: 12,
  headingDepth: 3,
  sectionTokensMedian: 400,
  sectionTokensMax: 900,
};

function recommend(features: Partial<PlanFeatures>, on: PlanFeatures = prose): ReturnType<typeof recommendPlan> {
  return recommendPlan({ features: { ...on, ...features }, limits, model });
}

function first(steps: readonly PlanStep[], level: Level): PlanStep {
  const step = steps.find((each) => each.level === level);
  if (!step) throw new Error(`no step for ${level}`);
  return step;
}

describe('a recommendation', () => {
  it.each<[string, Partial<PlanFeatures>, PlanFeatures, string, string[]]>([
    [
      'cuts flat prose into paragraphs, then sentences',
      {},
      prose,
      'PARENT:2;CHILD:5',
      ['PARENTS_GATHER_PARAGRAPHS', 'PROSE_BY_SENTENCES'],
    ],
    [
      'follows the headings of a manual',
      {},
      manual,
      'PARENT:1;CHILD:5',
      ['PARENTS_FOLLOW_HEADINGS', 'PROSE_BY_SENTENCES', 'CHILDREN_DIVIDE_SECTIONS'],
    ],
    [
      'cuts sections again that are too long for a parent',
      { sectionTokensMax: 9_000 },
      manual,
      'PARENT:1,2;CHILD:5',
      ['PARENTS_FOLLOW_HEADINGS', 'PROSE_BY_SENTENCES', 'CHILDREN_DIVIDE_SECTIONS', 'LONG_SECTIONS'],
    ],
    [
      'keeps small sections as children',
      { sectionTokensMedian: 80, sectionTokensMax: 200 },
      manual,
      'PARENT:1;CHILD:1,5',
      ['PARENTS_FOLLOW_HEADINGS', 'PROSE_BY_SENTENCES', 'CHILDREN_FOLLOW_SECTIONS'],
    ],
    [
      'cuts sentences again that are too long for a child',
      { sentenceTokensMax: 300 },
      prose,
      'PARENT:2;CHILD:5,2',
      ['PARENTS_GATHER_PARAGRAPHS', 'PROSE_BY_SENTENCES', 'LONG_SENTENCES'],
    ],
    [
      'leaves a very short text in one piece',
      { tokens: 90, chars: 400, headings: 3 },
      prose,
      'PARENT:2;CHILD:2',
      ['TEXT_IS_ONE_CHUNK'],
    ],
    [
      'cuts a table file by rows',
      { tableShare: 0.97, tables: 1, sentenceTokensMedian: 4_000 },
      prose,
      'PARENT:1,6,2;CHILD:1,6,2',
      ['TABLES_BY_ROWS'],
    ],
    [
      'keeps the rows of tables among text whole',
      { tableShare: 0.35, tables: 9 },
      manual,
      'PARENT:1;CHILD:1,6,2',
      ['PARENTS_FOLLOW_HEADINGS', 'TABLES_AMONG_TEXT', 'CHILDREN_DIVIDE_SECTIONS'],
    ],
    [
      'keeps code blocks whole and cuts them by lines',
      { codeShare: 0.7 },
      prose,
      'PARENT:1,2;CHILD:1,2',
      ['CODE_STAYS_WHOLE', 'CODE_BY_LINES'],
    ],
    [
      'cuts much code under headings by lines',
      { codeShare: 0.4 },
      manual,
      'PARENT:1;CHILD:1,2',
      ['PARENTS_FOLLOW_HEADINGS', 'CODE_BY_LINES', 'CHILDREN_DIVIDE_SECTIONS'],
    ],
    [
      'cuts one solid line by size',
      { paragraphs: 1, sentences: 1, sentenceTokensMedian: 5_200, sentenceTokensMax: 5_200 },
      prose,
      'PARENT:2;CHILD:2',
      ['NO_SENTENCE_ENDS'],
    ],
    [
      'bounds a line of one endless word by characters',
      { chars: 5_000_000, tokens: 310, paragraphs: 310, sentences: 310, sentenceTokensMedian: 1, sentenceTokensMax: 1 },
      prose,
      'PARENT:2;CHILD:2',
      ['NO_WORDS'],
    ],
    [
      'follows headings above text without sentence ends',
      { sentenceTokensMedian: 380, sentenceTokensMax: 380 },
      manual,
      'PARENT:1;CHILD:2',
      ['PARENTS_FOLLOW_HEADINGS', 'NO_SENTENCE_ENDS', 'CHILDREN_DIVIDE_SECTIONS'],
    ],
    [
      'cuts Chinese at sentence ends',
      { cjkShare: 0.96, paragraphs: 240 },
      prose,
      'PARENT:2;CHILD:5',
      ['PARENTS_GATHER_PARAGRAPHS', 'CJK_BY_SENTENCES'],
    ],
    [
      'gathers list items',
      { listItems: 200, paragraphs: 10, sentences: 210 },
      prose,
      'PARENT:2;CHILD:1,2',
      ['PARENTS_GATHER_PARAGRAPHS', 'ITEMS_BY_LINES'],
    ],
  ])('%s', (_, features, on, snapshot, codes) => {
    const { steps, reasons } = recommend(features, on);

    expect(snapshotOf(steps)).toBe(snapshot);
    expect(reasons.map((reason) => reason.code)).toEqual(codes);
  });

  it('warns with the number and the way out when the model cannot read the text, and plans all the same', () => {
    const { steps, reasons } = recommend({ cjkShare: 0.98, unknownTokenShare: 0.672 });

    const warning = reasons.at(-1);
    expect(warning).toMatchObject({
      code: 'MODEL_CANNOT_READ',
      evidence: { unknownTokenShare: 0.672, modelId: 'all-MiniLM-L6-v2' },
    });
    expect(warning?.text.en).toMatch(/67 %.*EMBEDDING_MODEL.*Full-text search works/);
    expect(warning?.text.zh).toMatch(/67 %.*EMBEDDING_MODEL.*全文检索不受影响/);
    expect(snapshotOf(steps)).toBe('PARENT:2;CHILD:5');
  });

  it('divides a typical section evenly among its children', () => {
    const { steps } = recommend({ sectionTokensMedian: 120 }, manual);

    // 122 tokens with special ones, in 2 children of 61 with room for 15 % more.
    expect(first(steps, Level.Child).params.maxTokens).toBe(71);
  });

  it('lets parents take in several sections where a section is a child', () => {
    const { steps } = recommend({ sectionTokensMedian: 80, sectionTokensMax: 200 }, manual);

    expect(first(steps, Level.Parent).params).toMatchObject({ maxTokens: 1_024, minTokens: 240 });
  });

  it('repeats a sentence between chunks only where no heading gives context', () => {
    expect(first(recommend({}).steps, Level.Child).params.overlapTokens).toBe(20);
    expect(first(recommend({}, manual).steps, Level.Child).params.overlapTokens).toBe(0);
  });

  it('keeps to limits that are smaller than the sizes it aims at', () => {
    const small: ChunkLimits = { PARENT: { maxTokens: 200, maxChars: 900 }, CHILD: { maxTokens: 64, maxChars: 300 } };
    const { steps } = recommendPlan({ features: prose, limits: small, model });

    expect(first(steps, Level.Parent).params.maxTokens).toBe(200);
    expect(first(steps, Level.Child).params.maxTokens).toBe(64);
  });

  it('says the numbers of its evidence in both languages', () => {
    for (const { text, evidence } of recommend({}, manual).reasons) {
      const numbers = Object.values(evidence).map(String);
      expect(numbers.some((number) => text.en.includes(number))).toBe(true);
      expect(numbers.some((number) => text.zh.includes(number))).toBe(true);
      expect(text.en + text.zh).not.toMatch(/undefined|NaN/);
    }
  });
});

describe('any recommendation', () => {
  const count = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 2_000_000 }));
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const anyFeatures = fc.record<PlanFeatures>({
    chars: count,
    tokens: count,
    headings: count,
    headingDepth: fc.integer({ min: 0, max: 6 }),
    sectionTokensMedian: fc.oneof(count, fc.double({ min: 0, max: 3_000, noNaN: true })),
    sectionTokensMax: count,
    paragraphs: count,
    listItems: count,
    tables: count,
    tableShare: share,
    codeShare: share,
    sentences: count,
    sentenceTokensMedian: fc.oneof(count, fc.double({ min: 0, max: 600, noNaN: true })),
    sentenceTokensMax: count,
    cjkShare: share,
    unknownTokenShare: share,
  });
  const anyLimits = fc.record({
    PARENT: fc.record({ maxTokens: fc.integer({ min: 64, max: 100_000 }), maxChars: fc.constant(16_000) }),
    CHILD: fc.record({ maxTokens: fc.integer({ min: 16, max: 8_192 }), maxChars: fc.integer({ min: 50, max: 2_000 }) }),
  });
  const anySighting = fc.record<Sighting>({ features: anyFeatures, limits: anyLimits, model: fc.constant(model) });

  it('can be executed, gives at least one reason, and is the same every time', () => {
    fc.assert(
      fc.property(anySighting, (seen) => {
        const plan = recommendPlan(seen);
        expect(validateSteps(plan.steps, seen.limits, 20)).toEqual([]);
        expect(plan.reasons.length).toBeGreaterThan(0);
        expect(plan).toEqual(recommendPlan(seen));
        for (const { text } of plan.reasons) expect(text.en + text.zh).not.toMatch(/undefined|NaN/);
      }),
      { numRuns: 400 },
    );
  });
});

describe('the table of rules', () => {
  it('has each code once, and for each level a last rule that always applies', () => {
    const codes = [...cuttingRules, ...noteRules, ...warningRules].map((rule) => rule.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const level of [Level.Parent, Level.Child]) {
      const last = cuttingRules.filter((rule) => rule.levels.includes(level)).at(-1);
      expect(last?.applies({ features: prose, limits, model })).toBe(true);
      expect(last?.applies({ features: { ...prose, paragraphs: 0, sentences: 0 }, limits, model })).toBe(true);
    }
  });
});
