import type { Id } from '../domain/ids/id.js';
import { Bell } from './bell.js';
import type { ProgressSignal } from './progress-signal.js';

/** Pauses between two looks at the database, in ms: where every change is heard, and where some are not. */
const heardEveryMs = 1_000;
const unheardEveryMs = 250;

/** One reader's eye on a task; to be closed when it has seen enough. */
export interface Watched {
  /** Resolves when it is worth looking again, at the latest after `longestMs`. @throws AbortError. */
  next(longestMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Wakes those who wait for one task. It listens to the signal once, however many they are, and not at all for nobody. */
export class TaskWatch {
  private readonly bells = new Map<Id, Set<Bell>>();
  private endListening: () => void = () => undefined;

  constructor(private readonly signal: ProgressSignal) {}

  /** Changes count from here on: watch first, then look. */
  watch(taskId: Id): Watched {
    const bell = new Bell();
    this.add(taskId, bell);
    return {
      next: (longestMs, signal) => bell.next(Math.min(longestMs, this.lookEveryMs), signal),
      close: () => this.remove(taskId, bell),
    };
  }

  private get lookEveryMs(): number {
    return this.signal.reachesAll ? heardEveryMs : unheardEveryMs;
  }

  private add(taskId: Id, bell: Bell): void {
    if (this.bells.size === 0) {
      this.endListening = this.signal.subscribe((change) => {
        for (const each of this.bells.get(change.taskId) ?? []) each.ring();
      });
    }
    this.bells.set(taskId, (this.bells.get(taskId) ?? new Set()).add(bell));
  }

  private remove(taskId: Id, bell: Bell): void {
    const bells = this.bells.get(taskId);
    if (!bells?.delete(bell) || bells.size > 0) return;
    this.bells.delete(taskId);
    if (this.bells.size === 0) this.endListening();
  }
}
