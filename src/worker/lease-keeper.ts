import type { ClaimedTask, TaskLeaseRepository } from '../database/repositories/task-lease-repository.js';
import type { Logger } from '../logging/logger.js';
import { TaskLost, WorkerStopping } from './work-result.js';

/** Cancels must be seen within two seconds, so no lease is looked at less often than this. */
const longestBeatMs = 1_000;

interface HeldTask {
  readonly id: string;
  readonly attempt: number;
  readonly controller: AbortController;
}

/** Keeps the leases of all tasks that this process works on, and aborts the work on those it has lost. */
export class LeaseKeeper {
  private readonly held = new Map<string, HeldTask>();
  private timer: NodeJS.Timeout | undefined;
  private beating = false;

  constructor(
    private readonly leases: TaskLeaseRepository,
    private readonly leaseMs: number,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.beat(), Math.min(longestBeatMs, this.leaseMs / 3));
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** From now on the task's lease is kept; the signal aborts when it is lost. */
  hold(task: Pick<ClaimedTask, 'id' | 'attempt'>): AbortSignal {
    const entry = { id: task.id, attempt: task.attempt, controller: new AbortController() };
    this.held.set(task.id, entry);
    return entry.controller.signal;
  }

  drop(taskId: string): void {
    this.held.delete(taskId);
  }

  /** Aborts all work in hand, so that it is given back. */
  giveBackAll(): void {
    for (const { controller } of this.held.values()) controller.abort(new WorkerStopping());
  }

  get size(): number {
    return this.held.size;
  }

  /** One heartbeat for everything that is held. A database that does not answer is asked again at the next beat. */
  async beat(): Promise<void> {
    if (this.beating || this.held.size === 0) return;
    this.beating = true;
    const asked = [...this.held.values()];
    try {
      const kept = new Set(await this.leases.extend(asked, this.leaseMs));
      for (const entry of asked) if (!kept.has(entry.id)) this.lose(entry);
    } catch (error) {
      this.logger.warn('leases could not be extended', { error, tasks: asked.length });
    } finally {
      this.beating = false;
    }
  }

  private lose(entry: HeldTask): void {
    // A task that ended while the beat was under way is held no more, and nothing is lost.
    if (this.held.get(entry.id) !== entry) return;
    entry.controller.abort(new TaskLost());
  }
}
