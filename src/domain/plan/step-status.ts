import type { CodeTable, Moves } from '../coded-value.js';

/** How far a step of a plan, or a stage of a task, is carried out. */
export const ExecuteStatus = {
  WaitExecute: 1,
  Running: 2,
  Success: 3,
  Failed: 4,
} as const;
export type ExecuteStatus = (typeof ExecuteStatus)[keyof typeof ExecuteStatus];

export const executeStatusTable: CodeTable<ExecuteStatus> = {
  1: { name: 'WAIT_EXECUTE', text: { en: 'Waiting', zh: '等待执行' } },
  2: { name: 'RUNNING', text: { en: 'Running', zh: '执行中' } },
  3: { name: 'SUCCESS', text: { en: 'Done', zh: '成功' } },
  4: { name: 'FAILED', text: { en: 'Failed', zh: '失败' } },
};

/** A plan may be built again, so an end leads back to the start. */
export const executeStatusMoves: Moves<ExecuteStatus> = {
  1: [ExecuteStatus.Running],
  2: [ExecuteStatus.Success, ExecuteStatus.Failed, ExecuteStatus.WaitExecute],
  3: [ExecuteStatus.Running, ExecuteStatus.WaitExecute],
  4: [ExecuteStatus.Running, ExecuteStatus.WaitExecute],
};
