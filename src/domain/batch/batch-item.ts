/** How one document of a batch stands. A plain name in the API; told from its task, where it has one. */
export const ItemState = {
  /** For its task, for a worker, or for the next attempt. */
  Waiting: 'WAITING',
  Running: 'RUNNING',
  Succeeded: 'SUCCEEDED',
  /** Its task failed or timed out; the failed items of a batch can be tried again. */
  Failed: 'FAILED',
  Cancelled: 'CANCELLED',
  /** It could not be built; the reason says why. */
  Skipped: 'SKIPPED',
} as const;
export type ItemState = (typeof ItemState)[keyof typeof ItemState];

export const itemStates: readonly ItemState[] = Object.values(ItemState);

/** Why a document of a batch got no task. A plain name in the API. */
export const SkipReason = {
  NotConfirmed: 'NOT_CONFIRMED',
  NotParsed: 'NOT_PARSED',
  Deleted: 'DELETED',
  /** No document of the tenant has this id. */
  NotFound: 'NOT_FOUND',
  /** What is served is up to date, and only stale documents were asked for. */
  Unchanged: 'UNCHANGED',
  /** Another index task of the document was live. */
  BuildInProgress: 'BUILD_IN_PROGRESS',
  /** Its confirmed plan cannot be executed here. */
  PlanInvalid: 'PLAN_INVALID',
} as const;
export type SkipReason = (typeof SkipReason)[keyof typeof SkipReason];

export const skipReasons: readonly SkipReason[] = Object.values(SkipReason);
