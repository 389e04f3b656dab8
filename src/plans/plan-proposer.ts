import type { PlanFeatures, PlanReason } from '../domain/plan/recommendation.js';
import type { PlanStep } from '../domain/plan/strategy.js';
import type { PlanTerms } from './plan-terms.js';
import { recommendPlan } from './recommend/recommendation.js';
import type { TextCutter, StructuredText } from './text-cutter.js';

/** A plan before it is stored: complete steps, why, and the measurements behind it. */
export interface PlanProposal {
  readonly features: PlanFeatures;
  readonly steps: readonly PlanStep[];
  readonly reasons: readonly PlanReason[];
}

/** Measures texts and proposes how to cut them. Touches no database. */
export class PlanProposer {
  constructor(
    private readonly cutter: Pick<TextCutter, 'measure'>,
    private readonly terms: PlanTerms,
  ) {}

  async propose(text: StructuredText, signal?: AbortSignal): Promise<PlanProposal> {
    const features = await this.cutter.measure(text, signal);
    return { features, ...recommendPlan({ features, limits: this.terms.limits, model: this.terms.model }) };
  }
}
