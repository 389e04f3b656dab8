import type { ClaimedTask } from '../database/repositories/task-lease-repository.js';
import { stageTable, type Stage } from '../domain/task/stage.js';
import { stageLimitMs, type TimeLimits } from './time-limits.js';
import { OverLimit } from './work-result.js';

/** Aborts an attempt when a stage of it, or all of it, takes longer than it may. */
export class StageClock {
  private readonly over = new AbortController();
  private readonly startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly task: Pick<ClaimedTask, 'taskType' | 'sourceBytes' | 'textChars'>,
    private readonly limits: TimeLimits,
  ) {}

  /** Aborts with {@link OverLimit}. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Counts anew for the stage that begins; gives how long it has, in ms. */
  begin(stage: Stage): number {
    this.stop();
    const left = Math.max(0, this.limits.attemptMs - (performance.now() - this.startedAt));
    const own = stageLimitMs(stage, this.task, this.limits);
    const error =
      own <= left
        ? new OverLimit(`The stage ${stageTable[stage].name} took longer than ${seconds(own)}.`)
        : new OverLimit(`The attempt took longer than ${seconds(this.limits.attemptMs)}.`);
    const limitMs = Math.min(own, left);
    this.timer = setTimeout(() => this.over.abort(error), limitMs);
    this.timer.unref();
    return limitMs;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}
