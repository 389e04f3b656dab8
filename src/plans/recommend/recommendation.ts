import { completeSteps } from '../../chunking/complete-steps.js';
import type { PlanReason } from '../../domain/plan/recommendation.js';
import { levels, type Level, type PlanStep } from '../../domain/plan/strategy.js';
import { cuttingRules } from './cutting-rules.js';
import { noteRules, warningRules } from './note-rules.js';
import type { CuttingRule, Rule } from './rule.js';
import type { Sighting } from './sighting.js';

/** How to cut a text, and why. */
export interface Recommendation {
  /** Complete: every parameter is spelled out, within the limits. */
  readonly steps: readonly PlanStep[];
  /** At least one: how each level is cut, then notes, then warnings. */
  readonly reasons: readonly PlanReason[];
}

/** The same sighting always leads to the same plan. */
export function recommendPlan(seen: Sighting): Recommendation {
  const decisions = levels.map((level) => ({ level, rule: ruleFor(seen, level) }));
  const deciding = [...new Set(decisions.map(({ rule }) => rule))];
  return {
    steps: completeSteps(
      decisions.flatMap(({ level, rule }) => rule.steps(seen, level)),
      seen.limits,
    ),
    reasons: [...reasonsOf(deciding, seen), ...reasonsOf(noteRules, seen), ...warningsOn(seen)],
  };
}

/** What a person should know whichever way the text is cut. */
export function warningsOn(seen: Sighting): PlanReason[] {
  return reasonsOf(warningRules, seen);
}

function ruleFor(seen: Sighting, level: Level): CuttingRule {
  const rule = cuttingRules.find((each) => each.levels.includes(level) && each.applies(seen));
  if (!rule) throw new Error(`no rule says how to cut level ${level}`);
  return rule;
}

function reasonsOf(rules: readonly Rule[], seen: Sighting): PlanReason[] {
  return rules
    .filter((rule) => rule.applies(seen))
    .map((rule) => {
      const evidence = rule.evidence(seen);
      return { code: rule.code, text: rule.text(evidence), evidence };
    });
}
