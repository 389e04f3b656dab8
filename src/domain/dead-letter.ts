/** What was put aside. A plain name in the API. */
export const DeadLetterKind = {
  /** A task that failed or timed out with no retries left. */
  Task: 'TASK',
  /** A message that no consumer can read. */
  Message: 'MESSAGE',
} as const;
export type DeadLetterKind = (typeof DeadLetterKind)[keyof typeof DeadLetterKind];

/** How a dead letter stands. It leaves OPEN once, for good. */
export const DeadLetterState = {
  /** Waits for a person. */
  Open: 'OPEN',
  /** Its task runs again, by whichever call; its message is on its topic again. */
  Replayed: 'REPLAYED',
  /** A person decided that nothing need be done. */
  Discarded: 'DISCARDED',
} as const;
export type DeadLetterState = (typeof DeadLetterState)[keyof typeof DeadLetterState];

export const deadLetterKinds: readonly DeadLetterKind[] = Object.values(DeadLetterKind);
export const deadLetterStates: readonly DeadLetterState[] = Object.values(DeadLetterState);
