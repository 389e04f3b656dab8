import type { RebuildFacts } from '../database/repositories/build-acceptance-repository.js';
import { SkipReason } from '../domain/batch/batch-item.js';
import { ParseStatus } from '../domain/document/parse-status.js';
import type { Id } from '../domain/ids/id.js';
import { judgeBuild, type JudgePlan } from './build-checks.js';

/** No document has this plan, so that a document without one fails the check of its plan. */
const noPlan: Id = '0';

/**
 * Why a document of a batch is not built, by the four checks of any build; null if it can be.
 *
 * @param facts undefined where there is no such document.
 * @param skipCurrent leaves out a document that is served up to date.
 */
export function skipReasonOf(
  facts: RebuildFacts | undefined,
  judgePlan: JudgePlan,
  skipCurrent: boolean,
): SkipReason | null {
  if (!facts) return SkipReason.NotFound;
  if (facts.deleted) return SkipReason.Deleted;
  const failed = judgeBuild(facts, facts.currentPlanId ?? noPlan, judgePlan).find((check) => !check.passed);
  switch (failed?.no) {
    case undefined:
      return skipCurrent && !facts.outOfDate ? SkipReason.Unchanged : null;
    case 1:
      return facts.parseStatus === ParseStatus.ParseSuccess ? SkipReason.NotConfirmed : SkipReason.NotParsed;
    case 2:
      return SkipReason.NotConfirmed;
    case 3:
      return SkipReason.BuildInProgress;
    case 4:
      return SkipReason.PlanInvalid;
  }
}
