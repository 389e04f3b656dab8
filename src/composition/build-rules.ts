import type { JudgePlan } from '../builds/build-checks.js';
import { freezeUnder } from '../builds/freeze-spec.js';
import type { FreezeSpec } from '../builds/index-task.js';
import { PlanExecutable } from '../plans/plan-executable.js';
import type { TextParts } from './text-parts.js';

/** How plans are judged and frozen under the configured model and limits; the same for single builds and for batches. */
export function buildRules({ terms, local, segmenter }: TextParts): { judgePlan: JudgePlan; freezeSpec: FreezeSpec } {
  const executable = new PlanExecutable(terms);
  return {
    judgePlan: (plan) => executable.problemsOf(plan),
    freezeSpec: freezeUnder({ limits: terms.limits, model: local.model, segmenterVersion: segmenter.version }),
  };
}
