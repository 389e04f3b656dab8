import { validateSteps } from '../chunking/validate-steps.js';
import type { PlanProblem } from '../domain/errors.js';
import { PlanStatus } from '../domain/plan/plan-status.js';
import type { PlanStep } from '../domain/plan/strategy.js';
import type { PlanTerms } from './plan-terms.js';

/** What judging a stored plan needs of it. */
export interface JudgedPlan {
  readonly planStatus: PlanStatus;
  readonly deleted: boolean;
  readonly steps: readonly PlanStep[];
}

const rememberedPlans = 1_000;

/** Judges whether a stored plan may be built here and now. */
export class PlanExecutable {
  /** By the steps' content. The same steps under the same terms have the same problems, and every build asks. */
  private readonly known = new Map<string, readonly PlanProblem[]>();

  constructor(private readonly terms: Pick<PlanTerms, 'limits' | 'maxSteps'>) {}

  /**
   * All that keeps the plan from being built; empty if nothing does.
   *
   * @param plan the plan that was named; null if there is none of that id, or it belongs to another document.
   */
  problemsOf(plan: JudgedPlan | null): PlanProblem[] {
    if (!plan) return [problem('NOT_FOUND', 'The document has no such plan.')];
    return [
      ...(plan.deleted ? [problem('DELETED', 'The plan was deleted.')] : []),
      ...(plan.planStatus === PlanStatus.Confirmed ? [] : [problem('NOT_CONFIRMED', unconfirmed(plan.planStatus))]),
      ...this.problemsOfSteps(plan.steps),
    ];
  }

  private problemsOfSteps(steps: readonly PlanStep[]): readonly PlanProblem[] {
    const key = JSON.stringify(steps);
    const remembered = this.known.get(key);
    if (remembered) return remembered;
    const problems = validateSteps(steps, this.terms.limits, this.terms.maxSteps);
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size >= rememberedPlans) this.known.delete(oldest);
    this.known.set(key, problems);
    return problems;
  }
}

function problem(code: string, message: string): PlanProblem {
  return { path: 'planId', code, message };
}

function unconfirmed(status: PlanStatus): string {
  return status === PlanStatus.Superseded
    ? 'A later plan of the document was confirmed in its place.'
    : 'Nobody has confirmed the plan yet.';
}
