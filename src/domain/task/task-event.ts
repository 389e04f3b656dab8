import type { LocalText } from '../coded-value.js';

/** What a line of a task's log tells. A plain name in the API. */
export const TaskEvent = {
  Start: 'START',
  Claimed: 'CLAIMED',
  StageStarted: 'STAGE_STARTED',
  Progress: 'PROGRESS',
  ChunkDone: 'CHUNK_DONE',
  VectorizeDone: 'VECTORIZE_DONE',
  Switched: 'SWITCHED',
  RetryScheduled: 'RETRY_SCHEDULED',
  RetryRequested: 'RETRY_REQUESTED',
  LeaseLost: 'LEASE_LOST',
  Cancelled: 'CANCELLED',
  Timeout: 'TIMEOUT',
  Failed: 'FAILED',
  Success: 'SUCCESS',
  Repaired: 'REPAIRED',
} as const;
export type TaskEvent = (typeof TaskEvent)[keyof typeof TaskEvent];

export type LogLevel = 'INFO' | 'WARN' | 'ERROR';

/** How loud each event is, and its sentence; `{name}` is filled from the line's metadata. */
export const taskEventTable: Readonly<Record<TaskEvent, { readonly level: LogLevel; readonly text: LocalText }>> = {
  START: { level: 'INFO', text: { en: 'The task was accepted', zh: '任务已受理' } },
  CLAIMED: {
    level: 'INFO',
    text: { en: 'A worker took the task, attempt {attempt}', zh: '任务被领取，第 {attempt} 次执行' },
  },
  STAGE_STARTED: { level: 'INFO', text: { en: 'The stage began', zh: '阶段开始' } },
  PROGRESS: { level: 'INFO', text: { en: '{done} of {total} done', zh: '已完成 {done} / {total}' } },
  CHUNK_DONE: {
    level: 'INFO',
    text: { en: '{parents} parents and {children} children were cut', zh: '切出 {parents} 个父块、{children} 个子块' },
  },
  VECTORIZE_DONE: { level: 'INFO', text: { en: '{vectors} vectors are stored', zh: '已写入 {vectors} 个向量' } },
  SWITCHED: { level: 'INFO', text: { en: 'Version {version} is now served', zh: '版本 {version} 已上线' } },
  RETRY_SCHEDULED: {
    level: 'WARN',
    text: { en: '{code}: {message} It runs again at {nextRetryAt}', zh: '{code}：{message} 将于 {nextRetryAt} 重试' },
  },
  RETRY_REQUESTED: { level: 'INFO', text: { en: 'A retry was requested', zh: '已请求重试' } },
  LEASE_LOST: {
    level: 'WARN',
    text: { en: 'The worker of attempt {attempt} was lost', zh: '第 {attempt} 次执行的工作进程已失联' },
  },
  CANCELLED: { level: 'INFO', text: { en: 'The task was cancelled', zh: '任务已取消' } },
  TIMEOUT: { level: 'ERROR', text: { en: '{code}: {message}', zh: '{code}：{message}' } },
  FAILED: { level: 'ERROR', text: { en: '{code}: {message}', zh: '{code}：{message}' } },
  SUCCESS: { level: 'INFO', text: { en: 'The task succeeded', zh: '任务成功' } },
  REPAIRED: {
    level: 'WARN',
    text: { en: 'Upkeep set right what disagreed: {kind}', zh: '维护任务已修复不一致：{kind}' },
  },
};
