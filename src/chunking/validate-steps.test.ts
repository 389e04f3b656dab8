import { describe, expect, it } from '@jest/globals';
import { Level, Strategy, type PlanStep } from '../domain/plan/strategy.js';
import type { ChunkLimits } from '../domain/text/chunk.js';
import { completeSteps } from './complete-steps.js';
import { defaultSeparators, describeStrategy, leastMaxTokens, strategyCatalogue } from './strategy-catalogue.js';
import { validateSteps, type ProposedStep } from './validate-steps.js';

const limits: ChunkLimits = {
  PARENT: { maxTokens: 4_096, maxChars: 16_000 },
  CHILD: { maxTokens: 256, maxChars: 2_000 },
};
const parent: ProposedStep = { level: 'PARENT', strategy: 1 };
const child = (params: Record<string, unknown>, strategy: number | string = 2): ProposedStep => ({
  level: 'CHILD',
  strategy,
  params,
});
const problemsOf = (...steps: ProposedStep[]): string[] =>
  validateSteps(steps, limits, 20).map(({ path, code }) => `${path} ${code}`);

describe('validating steps', () => {
  it('finds nothing wrong with good ones, by code and by name', () => {
    expect(problemsOf(parent, child({ maxTokens: 200, overlapTokens: 20, separators: ['\n# ', '\t'] }))).toEqual([]);
    expect(problemsOf(parent, child({ maxTokens: 64, minTokens: 64, overlapTokens: 63 }, 'SENTENCE'))).toEqual([]);
    expect(problemsOf(parent, child({}, 6), child({}, 2))).toEqual([]);
  });

  it.each([
    ['an unknown strategy', child({}, 9), 'steps[1].strategy STRATEGY_UNKNOWN'],
    ['an unknown strategy by name', child({}, 'MAGIC'), 'steps[1].strategy STRATEGY_UNKNOWN'],
    ['a strategy that is not available', child({}, 3), 'steps[1].strategy STRATEGY_UNAVAILABLE'],
    ['another that is not available', child({}, 'LLM'), 'steps[1].strategy STRATEGY_UNAVAILABLE'],
    ['an unknown parameter', child({ size: 3 }), 'steps[1].params.size PARAM_UNKNOWN'],
    ['a parameter of another strategy', child({ separators: ['a'] }, 5), 'steps[1].params.separators PARAM_UNKNOWN'],
    ['a number in quotes', child({ maxTokens: '200' }), 'steps[1].params.maxTokens PARAM_TYPE'],
    ['a fraction', child({ maxTokens: 200.5 }), 'steps[1].params.maxTokens PARAM_TYPE'],
    ['no number', child({ maxTokens: NaN }), 'steps[1].params.maxTokens PARAM_TYPE'],
    ['null', child({ maxTokens: null }), 'steps[1].params.maxTokens PARAM_TYPE'],
    ['more than the limit', child({ maxTokens: 257 }), 'steps[1].params.maxTokens PARAM_RANGE'],
    ['less than any chunk needs', child({ maxTokens: leastMaxTokens - 1 }), 'steps[1].params.maxTokens PARAM_RANGE'],
    ['a negative overlap', child({ overlapTokens: -1 }), 'steps[1].params.overlapTokens PARAM_RANGE'],
    [
      'an overlap of the whole size',
      child({ maxTokens: 20, overlapTokens: 20 }),
      'steps[1].params.overlapTokens OVERLAP_TOO_LARGE',
    ],
    [
      'a least size over the largest',
      child({ maxTokens: 20, minTokens: 21 }),
      'steps[1].params.minTokens MIN_OVER_MAX',
    ],
    ['separators in one string', child({ separators: '\n' }), 'steps[1].params.separators PARAM_TYPE'],
    ['no separators', child({ separators: [] }), 'steps[1].params.separators PARAM_RANGE'],
    ['an empty separator', child({ separators: ['\n', ''] }), 'steps[1].params.separators[1] PARAM_RANGE'],
    ['a number among the separators', child({ separators: [1] }), 'steps[1].params.separators[0] PARAM_TYPE'],
    ['a very long separator', child({ separators: ['x'.repeat(101)] }), 'steps[1].params.separators[0] PARAM_RANGE'],
    ['an unknown word', child({ keepSeparator: 'start' }), 'steps[1].params.keepSeparator PARAM_RANGE'],
    ['a word of another type', child({ keepSeparator: 1 }), 'steps[1].params.keepSeparator PARAM_TYPE'],
  ])('names %s', (_, step, problem) => {
    expect(problemsOf(parent, step)).toEqual([problem]);
  });

  it('holds a level to its own limits', () => {
    expect(problemsOf({ ...parent, params: { maxTokens: 4_096 } }, child({}))).toEqual([]);
    expect(problemsOf(parent, child({ maxTokens: 4_096 }, 1))).toEqual(['steps[1].params.maxTokens PARAM_RANGE']);
  });

  it('names everything at once', () => {
    const steps = [
      child({ maxTokens: 1, overlapTokens: 'x', foo: 1 }),
      { level: 'GRANDCHILD', strategy: 1 },
      child({}, 4),
    ];
    expect(problemsOf(...steps)).toEqual([
      'steps LEVEL_MISSING',
      'steps[0].params.maxTokens PARAM_RANGE',
      'steps[0].params.overlapTokens PARAM_TYPE',
      'steps[0].params.foo PARAM_UNKNOWN',
      'steps[1].level LEVEL_UNKNOWN',
      'steps[2].strategy STRATEGY_UNAVAILABLE',
    ]);
  });

  it('names a level without a step, steps in the wrong order, and too many steps', () => {
    expect(problemsOf()).toEqual(['steps LEVEL_MISSING', 'steps LEVEL_MISSING']);
    expect(problemsOf(parent)).toEqual(['steps LEVEL_MISSING']);
    expect(problemsOf(child({}), parent)).toEqual(['steps[1].level STEP_ORDER']);
    const many = Array.from({ length: 20 }, () => child({}));
    expect(problemsOf(parent, ...many.slice(1))).toEqual([]);
    expect(problemsOf(parent, ...many)).toEqual(['steps TOO_MANY_STEPS']);
  });

  it('looks at no more steps than a plan may have', () => {
    const bad = Array.from({ length: 100_000 }, () => child({ maxTokens: 0 }));
    expect(validateSteps([parent, ...bad], limits, 20)).toHaveLength(20);
  });

  it('says the bounds in every message', () => {
    const [problem] = validateSteps([parent, child({ maxTokens: 999 })], limits, 20);
    expect(problem?.message).toBe('Must be between 8 and 256.');
  });
});

describe('completing steps', () => {
  const completed = (...steps: ProposedStep[]): PlanStep[] => completeSteps(steps, limits);

  it('fills in every parameter, so that a second time changes nothing', () => {
    const steps = completed(parent, child({ maxTokens: 100 }), child({}, 5), child({}, 6));
    for (const { level, strategy, params } of steps) {
      expect(Object.keys(params)).toEqual(describeStrategy(strategy, limits).params.map(({ name }) => name));
      expect(level).toBe(strategy === Strategy.Structure ? Level.Parent : Level.Child);
    }
    expect(completed(...steps)).toEqual(steps);
    expect(JSON.parse(JSON.stringify(steps))).toEqual(steps);
  });

  it('makes defaults fit what was given', () => {
    expect(completed(parent, child({ maxTokens: 20 }))[1]?.params.minTokens).toBe(5);
    expect(completed(parent, child({ overlapTokens: 255 }))[1]?.params.maxTokens).toBe(256);
    expect(completed({ ...parent, params: { minTokens: 2_000 } }, child({}))[0]?.params.maxTokens).toBe(2_000);
  });

  it('lets separators that a person typed win over joining, and keeps heading marks with their headings', () => {
    const [, usual] = completed(parent, child({}));
    expect(usual?.params).toMatchObject({ separators: defaultSeparators, merge: 'FILL', keepSeparator: 'END' });
    const [, typed] = completed(parent, child({ separators: ['\n'] }));
    expect(typed?.params).toMatchObject({ separators: ['\n'], merge: 'NONE', keepSeparator: 'END' });
    const [, heading] = completed(parent, child({ separators: ['\n# '] }));
    expect(heading?.params).toMatchObject({ separators: ['\n# '], merge: 'NONE', keepSeparator: 'START' });
    const [, chosen] = completed(parent, child({ separators: ['\n# '], merge: 'FILL', keepSeparator: 'END' }));
    expect(chosen?.params).toMatchObject({ merge: 'FILL', keepSeparator: 'END' });
  });

  it('refuses steps that cannot be executed, with all problems', () => {
    expect(() => completed(parent)).toThrow(
      expect.objectContaining({
        code: 'PLAN_INVALID',
        details: { problems: [expect.objectContaining({ code: 'LEVEL_MISSING' })] },
      }),
    );
  });
});

describe('the catalogue', () => {
  it('lists every strategy once, in both languages, with a reason where one is not available', () => {
    const catalogue = strategyCatalogue(limits);
    expect(catalogue.map(({ code }) => code)).toEqual(Object.values(Strategy));
    for (const { available, unavailableReason, params, levels } of catalogue) {
      expect(available).toBe(unavailableReason === undefined);
      expect(levels.length).toBeGreaterThan(0);
      for (const { description } of params) expect([description.en, description.zh]).not.toContain('');
    }
    expect(catalogue.filter(({ available }) => available).map(({ code }) => code)).toEqual([1, 2, 5, 6]);
  });

  it('gives defaults that are valid on each level, also under the narrowest limits', () => {
    const narrow: ChunkLimits = { PARENT: { maxTokens: 64, maxChars: 200 }, CHILD: { maxTokens: 16, maxChars: 50 } };
    for (const each of [limits, narrow]) {
      for (const { code, levels, params, available } of strategyCatalogue(each)) {
        if (!available) continue;
        for (const level of levels) {
          const defaults = Object.fromEntries(params.map(({ name, byLevel }) => [name, byLevel[level].default]));
          const steps = [
            { level: 'PARENT', strategy: 1 },
            { level: 'CHILD', strategy: 1 },
          ].map((step) => (step.level === level ? { level, strategy: code, params: defaults } : step));
          expect(validateSteps(steps, each, 20)).toEqual([]);
        }
      }
    }
  });
});
