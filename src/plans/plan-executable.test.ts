import { describe, expect, it } from '@jest/globals';
import { completeSteps } from '../chunking/complete-steps.js';
import { PlanStatus } from '../domain/plan/plan-status.js';
import { Level, Strategy } from '../domain/plan/strategy.js';
import { PlanExecutable, type JudgedPlan } from './plan-executable.js';

const limits = { PARENT: { maxTokens: 4_096, maxChars: 16_000 }, CHILD: { maxTokens: 256, maxChars: 2_000 } };
const terms = { limits, maxSteps: 20 };
const steps = completeSteps(
  [
    { level: Level.Parent, strategy: Strategy.Structure },
    { level: Level.Child, strategy: Strategy.Sentence },
  ],
  limits,
);
const confirmed: JudgedPlan = { planStatus: PlanStatus.Confirmed, deleted: false, steps };

function codes(plan: JudgedPlan | null, on = terms): string[] {
  return new PlanExecutable(on).problemsOf(plan).map(({ path, code }) => `${path} ${code}`);
}

describe('judging a stored plan', () => {
  it('finds nothing against a confirmed plan whose steps can run', () => {
    expect(codes(confirmed)).toEqual([]);
  });

  it('says that there is no such plan, and nothing else', () => {
    expect(codes(null)).toEqual(['planId NOT_FOUND']);
  });

  it.each([PlanStatus.WaitConfirm, PlanStatus.Superseded])('refuses status %s', (planStatus) => {
    expect(codes({ ...confirmed, planStatus })).toEqual(['planId NOT_CONFIRMED']);
  });

  it('names what no longer fits: a smaller model, fewer steps, a strategy that is not there', () => {
    const smaller = { ...limits, CHILD: { maxTokens: 128, maxChars: 2_000 } };
    expect(codes(confirmed, { ...terms, limits: smaller })).toEqual(['steps[1].params.maxTokens PARAM_RANGE']);
    expect(codes(confirmed, { ...terms, maxSteps: 1 })).toContain('steps TOO_MANY_STEPS');
    const semantic = { level: Level.Child, strategy: Strategy.Semantic, params: {} };
    expect(codes({ ...confirmed, steps: [...steps, semantic] })).toEqual(['steps[2].strategy STRATEGY_UNAVAILABLE']);
  });

  it('tells everything at once', () => {
    expect(codes({ planStatus: PlanStatus.WaitConfirm, deleted: true, steps: [] })).toEqual([
      'planId DELETED',
      'planId NOT_CONFIRMED',
      'steps LEVEL_MISSING',
      'steps LEVEL_MISSING',
    ]);
  });

  it('tells plans apart by their content, however many it has seen', () => {
    const judge = new PlanExecutable(terms);
    for (let minTokens = 0; minTokens < 1_200; minTokens += 1) {
      const parent = { level: Level.Parent, strategy: Strategy.Structure, params: { minTokens } };
      expect(judge.problemsOf({ ...confirmed, steps: [parent, ...steps.slice(1)] })).toEqual([]);
    }
    const broken = { ...confirmed, steps: [{ ...steps[0]!, params: { minTokens: -1 } }, ...steps.slice(1)] };
    expect(judge.problemsOf(broken)).toHaveLength(1);
    expect(judge.problemsOf(broken)).toHaveLength(1);
    expect(judge.problemsOf(confirmed)).toEqual([]);
  });
});
