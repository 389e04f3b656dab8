/** How a batch stands. A plain name in the API; told from its items and never stored. */
export const BatchState = {
  /** Some of its items wait or run. */
  Running: 'RUNNING',
  /** Every item is over. Only asking for its failed items again makes it run again. */
  Done: 'DONE',
  /** Stopped on request; final. */
  Cancelled: 'CANCELLED',
} as const;
export type BatchState = (typeof BatchState)[keyof typeof BatchState];

export const batchStates: readonly BatchState[] = Object.values(BatchState);
