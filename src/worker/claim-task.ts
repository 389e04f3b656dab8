import type { ClaimOutcome, TaskLeaseRepository } from '../database/repositories/task-lease-repository.js';
import type { Id } from '../domain/ids/id.js';
import type { TaskLock } from './task-lock.js';

export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
}

/** Takes tasks for this worker. The database decides; a lock in front of it, if there is one, spares it doubled messages. */
export class ClaimTask {
  constructor(
    private readonly leases: Pick<TaskLeaseRepository, 'claim' | 'refusalOf'>,
    private readonly options: ClaimOptions,
    private readonly lock?: TaskLock,
  ) {}

  /**
   * With `heedLock`, a lock that is taken has the row read, rather than claimed: a task that is free all the same is
   * `unseen`. Whoever looks again, or has found the task free, goes past the lock: its holder may be dead.
   *
   * Rejects only if the database does.
   */
  async claim(taskId: Id, heedLock: boolean): Promise<ClaimOutcome> {
    const locked = this.lock ? await this.lock.take(taskId) : true;
    if (heedLock && !locked) return { type: 'refused', reason: await this.leases.refusalOf(taskId) };
    let claimed = false;
    try {
      const outcome = await this.leases.claim(taskId, this.options.workerId, this.options.leaseMs);
      claimed = outcome.type === 'claimed';
      return outcome;
    } finally {
      if (!claimed && locked) this.letGo(taskId);
    }
  }

  /** To be called when the work on a claimed task has ended. */
  letGo(taskId: Id): void {
    void this.lock?.release(taskId);
  }
}
