import type { CodeTable, Moves } from '../coded-value.js';

export const TaskStatus = {
  /** Accepted with its message; no worker has claimed it. Upkeep re-sends it if nobody does. */
  New: 1,
  /** Held by one worker under a lease. */
  Running: 2,
  /** All stages done. Final. */
  Success: 3,
  /** Ended with a reason that running again does not mend by itself; a person may retry. */
  Failed: 4,
  /** Waits for its next attempt; the time stands in nextRetryAt. */
  Retrying: 5,
  /** Over its time limit, or out of attempts after its worker was lost; a person may retry. */
  Timeout: 6,
  /** Stopped on request. Final. */
  Cancelled: 7,
} as const;
export type TaskStatus = (typeof TaskStatus)[keyof typeof TaskStatus];

export const taskStatusTable: CodeTable<TaskStatus> = {
  1: { name: 'NEW', text: { en: 'Waiting for a worker', zh: '等待执行' } },
  2: { name: 'RUNNING', text: { en: 'Running', zh: '执行中' } },
  3: { name: 'SUCCESS', text: { en: 'Succeeded', zh: '成功' } },
  4: { name: 'FAILED', text: { en: 'Failed', zh: '失败' } },
  5: { name: 'RETRYING', text: { en: 'Waiting for the next attempt', zh: '等待重试' } },
  6: { name: 'TIMEOUT', text: { en: 'Timed out', zh: '超时' } },
  7: { name: 'CANCELLED', text: { en: 'Cancelled', zh: '已取消' } },
};

export const taskStatusMoves: Moves<TaskStatus> = {
  1: [TaskStatus.Running, TaskStatus.Cancelled],
  2: [TaskStatus.Success, TaskStatus.Failed, TaskStatus.Retrying, TaskStatus.Timeout, TaskStatus.Cancelled],
  3: [],
  4: [TaskStatus.Retrying],
  5: [TaskStatus.Running, TaskStatus.Cancelled],
  6: [TaskStatus.Retrying],
  7: [],
};

/** Statuses of a task that is waiting or being worked on. */
export const liveTaskStatuses: readonly TaskStatus[] = [TaskStatus.New, TaskStatus.Running, TaskStatus.Retrying];

export function isLive(status: TaskStatus): boolean {
  return liveTaskStatuses.includes(status);
}

/** True where no move leads out. A task that failed or timed out is not final: a person may retry it. */
export function isFinal(status: TaskStatus): boolean {
  return taskStatusMoves[status].length === 0;
}
