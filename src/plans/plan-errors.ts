import { AppError, type PlanProblem } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';

export function documentNotFound(documentId: Id): AppError {
  return new AppError('DOCUMENT_NOT_FOUND', `There is no document ${documentId}.`, { documentId });
}

export function planNotFound(planId: Id): AppError {
  return new AppError('PLAN_NOT_FOUND', `There is no plan ${planId}.`, { planId });
}

export function planStale(planId: Id, currentPlanId: Id | null): AppError {
  return new AppError('PLAN_STALE', `Plan ${planId} is not the current plan of its document.`, { currentPlanId });
}

export function textNotAvailable(documentId: Id): AppError {
  return new AppError('TEXT_NOT_AVAILABLE', `Document ${documentId} has no parsed text yet.`, { documentId });
}

/** @param problems all that is wrong, at least one. */
export function planInvalid(problems: readonly PlanProblem[]): AppError {
  const [first] = problems;
  const more = problems.length > 1 ? ` There are ${problems.length} problems.` : '';
  return new AppError('PLAN_INVALID', `The plan cannot be executed: ${first?.message ?? ''}${more}`, { problems });
}
