import type { BuildFacts } from '../database/repositories/build-acceptance-repository.js';
import { ParseStatus } from '../domain/document/parse-status.js';
import { StrategyStatus } from '../domain/document/strategy-status.js';
import { AppError, type ErrorCode, type PlanProblem } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';

/** One of the four checks, passed or refused with what the caller is told. */
export type BuildCheck = { readonly no: 1 | 2 | 3 | 4; readonly name: string } & (
  { readonly passed: true } | { readonly passed: false; readonly refusal: AppError; readonly action: string }
);

/** Says what keeps a stored plan from being built here; nothing for a plan that can be. */
export type JudgePlan = (plan: BuildFacts['plan']) => readonly PlanProblem[];

type Judgement = { readonly refusal: AppError; readonly action: string } | null;

/** Judges all four checks, each on its own. Their order is the order of refusals. */
export function judgeBuild(facts: BuildFacts, planId: Id, judgePlan: JudgePlan): readonly BuildCheck[] {
  const check = (no: BuildCheck['no'], name: string, judgement: Judgement): BuildCheck =>
    judgement ? { no, name, passed: false, ...judgement } : { no, name, passed: true };
  return [
    check(1, 'DOCUMENT_READY', documentReady(facts)),
    check(2, 'PLAN_CURRENT', planCurrent(facts, planId)),
    check(3, 'NO_LIVE_BUILD', noLiveBuild(facts)),
    check(4, 'PLAN_VALID', planValid(judgePlan(facts.plan))),
  ];
}

function documentReady(facts: BuildFacts): Judgement {
  const { parseStatus, strategyStatus } = facts;
  if (parseStatus === ParseStatus.ParseSuccess && strategyStatus === StrategyStatus.Confirmed) return null;
  const parsed = parseStatus === ParseStatus.ParseSuccess;
  return {
    refusal: refuse(
      'DOCUMENT_NOT_READY',
      parsed ? 'The plan of the document is not confirmed.' : 'The document is not parsed successfully.',
      { parseStatus, strategyStatus },
    ),
    action: parsed
      ? 'Look at the current plan and confirm it.'
      : 'Wait until the document is parsed; if parsing failed, see its error and parse it again.',
  };
}

function planCurrent(facts: BuildFacts, planId: Id): Judgement {
  if (facts.currentPlanId === planId) return null;
  return {
    refusal: refuse('PLAN_STALE', 'The plan is not the current plan of the document.', {
      currentPlanId: facts.currentPlanId,
    }),
    action: 'Reload the document, look at its current plan, and build that one.',
  };
}

function noLiveBuild(facts: BuildFacts): Judgement {
  return facts.liveTaskId === null ? null : buildInProgress(facts.liveTaskId);
}

/** The refusal of check 3, also given when the database finds the other task first. */
export function buildInProgress(taskId: Id | null): { refusal: AppError; action: string } {
  return {
    refusal: refuse('BUILD_IN_PROGRESS', 'An index task of the document is live.', taskId ? { taskId } : {}),
    action: 'Wait for the live task to end, or cancel it.',
  };
}

function planValid(problems: readonly PlanProblem[]): Judgement {
  const [first] = problems;
  if (!first) return null;
  return {
    refusal: refuse('PLAN_INVALID', first.message, { problems }),
    action: 'Choose a plan of this document, mend what is wrong with it, and confirm it.',
  };
}

function refuse(code: ErrorCode, message: string, details: Record<string, unknown>): AppError {
  return new AppError(code, message, details);
}
