import { ExecuteStatus } from '../plan/step-status.js';
import type { FailureRecord } from '../errors.js';
import type { Stage, StageOutline, StageUnit } from './stage.js';

/** How far one stage of a task is. Plain JSON; times are ISO 8601. */
export interface StageProgress {
  readonly stage: Stage;
  readonly status: ExecuteStatus;
  readonly done: number;
  /** 0 until it is known. */
  readonly total: number;
  readonly unit: StageUnit;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** Why a task failed or waits for its next attempt. */
export interface TaskFailure extends FailureRecord {
  readonly stage: Stage;
  readonly attempt: number;
  readonly retryable: boolean;
}

/** Why a task is taken out of the hands of a worker whose lease ran out. */
export const silentWorker = {
  code: 'WORKER_LOST',
  message: 'The worker was silent for longer than its lease.',
} as const satisfies FailureRecord;

/** The stages of a task that nobody has begun. */
export function freshStages(outlines: readonly StageOutline[]): StageProgress[] {
  return outlines.map(({ stage, unit }) => ({
    stage,
    status: ExecuteStatus.WaitExecute,
    done: 0,
    total: 0,
    unit,
    startedAt: null,
    finishedAt: null,
  }));
}

/** Whole percent of a task by the shares of its stages; 100 is kept for success. */
export function percentOf(
  outlines: readonly StageOutline[],
  stages: readonly StageProgress[],
  succeeded: boolean,
): number {
  if (succeeded) return 100;
  let percent = 0;
  for (const { stage, share } of outlines) {
    const progress = stages.find((entry) => entry.stage === stage);
    if (!progress) continue;
    if (progress.status === ExecuteStatus.Success) percent += share;
    else if (progress.total > 0) percent += (share * Math.min(progress.done, progress.total)) / progress.total;
  }
  return Math.min(99, Math.floor(percent));
}
