import type { LocalText } from '../../domain/coded-value.js';
import type { PlanReason } from '../../domain/plan/recommendation.js';
import type { Level, PlanStep } from '../../domain/plan/strategy.js';
import type { Sighting } from './sighting.js';

export type Evidence = PlanReason['evidence'];

/** One piece of advice: when it holds, from which numbers, and what it says. */
export interface Rule {
  readonly code: string;
  applies(seen: Sighting): boolean;
  /** The numbers that led to it, by name. */
  evidence(seen: Sighting): Evidence;
  text(evidence: Evidence): LocalText;
}

/** A rule that says how a level, or both, is cut. */
export interface CuttingRule extends Rule {
  readonly levels: readonly Level[];
  /** In order; each refines what the one before left over its limit. */
  steps(seen: Sighting, level: Level): PlanStep[];
}

/** A share as people read it, for example `67 %`. */
export function percent(share: Evidence[string] | undefined): string {
  return `${Math.round(Number(share) * 100)} %`;
}
