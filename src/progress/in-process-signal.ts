import type { TaskChange } from '../domain/task/task-change.js';
import type { ChangeListener, ProgressSignal } from './progress-signal.js';

/** The signal within one process: listeners hear an announcement before `announce` returns. */
export class InProcessSignal implements ProgressSignal {
  /** Wrapped, so that a function that subscribes twice is two subscriptions. */
  private readonly subscriptions = new Set<{ readonly hear: ChangeListener }>();

  /** @param reachesAll true if no other process can work on the same database. */
  constructor(readonly reachesAll: boolean) {}

  announce(change: TaskChange): void {
    for (const { hear } of [...this.subscriptions]) hear(change);
  }

  subscribe(listener: ChangeListener): () => void {
    const subscription = { hear: listener };
    this.subscriptions.add(subscription);
    return () => this.subscriptions.delete(subscription);
  }
}
