import type { Id } from '../domain/ids/id.js';

/**
 * A cheap outer layer before the claim: it keeps most doubled messages from the database, and decides nothing. It may
 * forget a lock, keep one whose holder is gone, or not answer at all. Nothing here rejects, and every wait has a bound.
 */
export interface TaskLock {
  /** False if somebody seems to work on the task; true as well when that cannot be told. */
  take(taskId: Id): Promise<boolean>;
  /** Lets a task go that was taken here; the lock of anybody else stays. */
  release(taskId: Id): Promise<void>;
}
