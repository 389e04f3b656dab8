import type { TaskChange } from '../domain/task/task-change.js';

/** Must not throw, and does no work itself: it notes that somebody has to look. */
export type ChangeListener = (change: TaskChange) => void;

/**
 * Wakes readers when a task has changed, so that they need not wait for their next look at the database.
 *
 * A hint and nothing else: announcements may be lost, doubled or late, and come in any order. Readers look by
 * themselves as well, so that a loss costs time only.
 */
export interface ProgressSignal {
  /** True while changes made by other processes are heard too; readers may then look less often by themselves. */
  readonly reachesAll: boolean;
  /** To be called after the commit. Never blocks and never throws, whatever has become of the signal. */
  announce(change: TaskChange): void;
  /** Hears announcements of every tenant, those of this process included. Gives the way to end it, safe to call twice. */
  subscribe(listener: ChangeListener): () => void;
}
