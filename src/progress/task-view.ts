import type { TaskEntity } from '../database/entities/task.entity.js';
import type { BuildSpec } from '../domain/build-spec.js';
import { nextStepOf } from '../domain/errors.js';
import type { LocalText } from '../domain/coded-value.js';
import type { Id } from '../domain/ids/id.js';
import { percentOf, type StageProgress, type TaskFailure } from '../domain/task/progress.js';
import { stagesOf, type Stage } from '../domain/task/stage.js';
import { priorityByType, type TaskPriority } from '../domain/task/task-priority.js';
import { isLive, TaskStatus } from '../domain/task/task-status.js';
import type { Actor, TaskType } from '../domain/task/task-type.js';

/** Why a live task is not being worked on. A plain name in the API. */
export interface Waiting {
  readonly state: 'WAITING' | 'STARVED' | 'STALLED' | 'RETRY_SCHEDULED';
  /** Tasks of its kind that wait in front of it; for WAITING and STARVED only. */
  readonly position?: number;
  readonly ageMs: number;
}

/** A task as the API tells it, in codes. */
export interface TaskView {
  readonly taskId: Id;
  /** Null for the deletion of a whole base. */
  readonly documentId: Id | null;
  readonly planId: Id | null;
  readonly batchId: Id | null;
  readonly taskType: TaskType;
  readonly priority: TaskPriority;
  readonly taskStatus: TaskStatus;
  readonly currentStage: Stage;
  readonly stages: readonly StageProgress[];
  readonly percent: number;
  readonly attempt: number;
  readonly retryCount: number;
  readonly maxRetryCount: number;
  readonly nextRetryAt: Date | null;
  readonly strategySnapshot: string | null;
  readonly buildSpec: BuildSpec | null;
  readonly triggerSource: Actor;
  readonly waiting: Waiting | null;
  readonly error: (TaskFailure & { readonly nextStep: LocalText }) | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** ms until it is worth asking again; null when nothing will change any more. */
  readonly nextPollMs: number | null;
}

const livePollMs = 500;
const longestPollMs = 5_000;

/** What stands in no column of the task. */
export interface Surroundings {
  /** Its worker fell silent, or gets no further. */
  readonly stalled: boolean;
  /** No worker is alive that takes such tasks; for new ones. */
  readonly starved?: boolean;
  /** Tasks in front of it; for new ones. */
  readonly position?: number;
}

export function taskView(task: TaskEntity, surroundings: Surroundings, nowMs: number): TaskView {
  return {
    taskId: task.id,
    documentId: task.documentId,
    planId: task.planId,
    batchId: task.batchId,
    taskType: task.taskType,
    priority: task.priority ?? priorityByType(task.taskType),
    taskStatus: task.taskStatus,
    currentStage: task.currentStage,
    stages: task.stages,
    percent: percentOf(stagesOf(task.taskType), task.stages, task.taskStatus === TaskStatus.Success),
    attempt: task.attempt,
    retryCount: task.retryCount,
    maxRetryCount: task.maxRetryCount,
    nextRetryAt: task.nextRetryAt,
    strategySnapshot: task.strategySnapshot,
    buildSpec: task.buildSpec,
    triggerSource: task.triggerSource,
    waiting: waitingOf(task, surroundings, nowMs),
    error: task.error ? { ...task.error, nextStep: nextStepOf(task.error.code) } : null,
    createdAt: task.createdAt,
    startedAt: task.startedAt,
    finishedAt: task.finishedAt,
    nextPollMs: nextPollOf(task, nowMs),
  };
}

function waitingOf(task: TaskEntity, around: Surroundings, nowMs: number): Waiting | null {
  const ageMs = Math.max(0, nowMs - task.createdAt.getTime());
  const { position } = around;
  switch (task.taskStatus) {
    case TaskStatus.New:
      return { state: around.starved ? 'STARVED' : 'WAITING', ageMs, ...(position === undefined ? {} : { position }) };
    case TaskStatus.Running:
      return around.stalled ? { state: 'STALLED', ageMs } : null;
    case TaskStatus.Retrying:
      return { state: 'RETRY_SCHEDULED', ageMs };
    default:
      return null;
  }
}

function nextPollOf(task: TaskEntity, nowMs: number): number | null {
  if (!isLive(task.taskStatus)) return null;
  const dueInMs = task.nextRetryAt ? task.nextRetryAt.getTime() - nowMs : 0;
  return Math.round(Math.min(longestPollMs, Math.max(livePollMs, dueInMs)));
}
