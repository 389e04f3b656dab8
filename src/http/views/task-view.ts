import { describe, type Language } from '../../domain/coded-value.js';
import { executeStatusTable, ExecuteStatus } from '../../domain/plan/step-status.js';
import { Stage, stageTable } from '../../domain/task/stage.js';
import { TaskPriority, taskPriorityTable } from '../../domain/task/task-priority.js';
import { TaskStatus, taskStatusTable } from '../../domain/task/task-status.js';
import { Actor, actorTable, TaskType, taskTypeTable } from '../../domain/task/task-type.js';
import type { StageProgress } from '../../domain/task/progress.js';
import type { TaskView as TaskState } from '../../progress/task-view.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { CodedField, JsonObjectField, ObjectField, ObjectListField } from '../fields/structured-fields.js';
import { ChoiceField, TextField, TimeField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';
import { steadyTime, timeText, type TimeText } from './time.js';

/** How far one stage is. */
export class StageView {
  @CodedField({ description: 'Which stage.', table: stageTable, example: Stage.Vectorize })
  stage!: CodedView;

  @CodedField({ description: 'How it stands.', table: executeStatusTable, example: ExecuteStatus.Running })
  status!: CodedView;

  @IntegerField({ description: 'Units done.', example: 32, min: 0 })
  done!: number;

  @IntegerField({ description: 'Units in all; 0 until it is known.', example: 128, min: 0 })
  total!: number;

  @TextField({ description: 'What is counted.', example: 'chunks' })
  unit!: string;

  @TimeField({ description: 'When it began.', example: '2026-03-01T08:00:00.000Z', nullable: true })
  startedAt!: TimeText | null;

  @TimeField({ description: 'When it ended.', example: '2026-03-01T08:00:09.000Z', nullable: true })
  finishedAt!: TimeText | null;
}

/** Why a live task is not worked on. */
export class WaitingView {
  @ChoiceField({
    description: 'What it waits for.',
    example: 'WAITING',
    options: ['WAITING', 'STARVED', 'STALLED', 'RETRY_SCHEDULED'],
  })
  state!: string;

  @IntegerField({ description: 'Tasks of its kind in front of it.', example: 3, min: 0, optional: true })
  position?: number;

  @IntegerField({ description: 'How long it has been there.', example: 1500, min: 0 })
  ageMs!: number;
}

/** Why a task failed or waits for its next attempt. */
export class TaskErrorView {
  @TextField({ description: 'Stable code.', example: 'EMBEDDING_FAILED' })
  code!: string;

  @TextField({ description: 'What happened.', example: 'The embedding model did not answer.' })
  message!: string;

  @CodedField({ description: 'Where it happened.', table: stageTable, example: Stage.Vectorize })
  stage!: CodedView;

  @IntegerField({ description: 'In which attempt.', example: 1, min: 0 })
  attempt!: number;

  @FlagField({ description: 'Whether running again can help by itself.', example: true })
  retryable!: boolean;

  @TextField({ description: 'What a person can do.', example: 'Check the embedding model, then retry.' })
  nextStep!: string;
}

/** A task as the API answers it. */
export class TaskView {
  @IdTextField({ description: 'Id of the task.', example: '241865211904000001' })
  taskId!: string;

  @IdTextField({
    description: 'The document it works on; null for the deletion of a whole base.',
    example: '241865211904000002',
    nullable: true,
  })
  documentId!: string | null;

  @IdTextField({
    description: 'The plan it carries out; null for tasks without one.',
    example: '241865211904000003',
    nullable: true,
  })
  planId!: string | null;

  @IdTextField({ description: 'The batch it belongs to.', example: '241865211904000004', optional: true })
  batchId?: string;

  @CodedField({ description: 'What it does.', table: taskTypeTable, example: TaskType.BuildIndex })
  taskType!: CodedView;

  @CodedField({
    description: 'Whether somebody waits for it.',
    table: taskPriorityTable,
    example: TaskPriority.Interactive,
  })
  priority!: CodedView;

  @CodedField({ description: 'How it stands.', table: taskStatusTable, example: TaskStatus.Running })
  taskStatus!: CodedView;

  @CodedField({ description: 'Where a worker works or would begin.', table: stageTable, example: Stage.Vectorize })
  currentStage!: CodedView;

  @ObjectListField({ description: 'Its stages in order.' }, () => StageView)
  stages!: StageView[];

  @IntegerField({
    description: 'Never goes back within an attempt; 100 exactly at success.',
    example: 42,
    min: 0,
    max: 100,
  })
  percent!: number;

  @IntegerField({ description: 'How often a worker has taken it.', example: 1, min: 0 })
  attempt!: number;

  @IntegerField({ description: 'Automatic retries so far.', example: 0, min: 0 })
  retryCount!: number;

  @IntegerField({ description: 'Automatic retries at most.', example: 3, min: 0 })
  maxRetryCount!: number;

  @TimeField({ description: 'When it runs again.', example: '2026-03-01T08:00:10.000Z', optional: true })
  nextRetryAt?: TimeText;

  @TextField({
    description: 'Strategies in short form; null for tasks without a plan.',
    example: 'PARENT:1;CHILD:2',
    nullable: true,
  })
  strategySnapshot!: string | null;

  @JsonObjectField({
    description: 'All that changes what it writes, frozen.',
    example: { textRevision: 1 },
    nullable: true,
  })
  buildSpec!: object | null;

  @CodedField({ description: 'Who set it off.', table: actorTable, example: Actor.User })
  triggerSource!: CodedView;

  @ObjectField({ description: 'Why it is not worked on; absent while it is.', optional: true }, () => WaitingView)
  waiting?: WaitingView;

  @ObjectField({ description: 'Why it failed or runs again.', optional: true }, () => TaskErrorView)
  error?: TaskErrorView;

  @TimeField({ description: 'When it was accepted.', example: '2026-03-01T08:00:00.000Z' })
  createdAt!: TimeText;

  @TimeField({ description: 'When a worker first took it.', example: '2026-03-01T08:00:00.100Z', nullable: true })
  startedAt!: TimeText | null;

  @TimeField({ description: 'When it ended.', example: '2026-03-01T08:00:09.000Z', nullable: true })
  finishedAt!: TimeText | null;

  @IntegerField({ description: 'When to ask again, in ms; null at the end.', example: 500, min: 1, nullable: true })
  nextPollMs!: number | null;
}

export function taskView(task: TaskState, language: Language): TaskView {
  const { batchId, nextRetryAt, waiting, error, ...plain } = task;
  return {
    ...plain,
    ...(batchId === null ? {} : { batchId }),
    taskType: describe(taskTypeTable, task.taskType, language),
    priority: describe(taskPriorityTable, task.priority, language),
    taskStatus: describe(taskStatusTable, task.taskStatus, language),
    currentStage: describe(stageTable, task.currentStage, language),
    stages: task.stages.map((stage) => stageView(stage, language)),
    ...(nextRetryAt === null ? {} : { nextRetryAt: timeText(nextRetryAt) }),
    triggerSource: describe(actorTable, task.triggerSource, language),
    ...(waiting === null ? {} : { waiting }),
    ...(error === null ? {} : { error: errorView(error, language) }),
    createdAt: timeText(task.createdAt),
    startedAt: timeText(task.startedAt),
    finishedAt: timeText(task.finishedAt),
  };
}

function stageView(progress: StageProgress, language: Language): StageView {
  return {
    stage: describe(stageTable, progress.stage, language),
    status: describe(executeStatusTable, progress.status, language),
    done: progress.done,
    total: progress.total,
    unit: progress.unit,
    startedAt: steadyTime(progress.startedAt),
    finishedAt: steadyTime(progress.finishedAt),
  };
}

function errorView(error: NonNullable<TaskState['error']>, language: Language): TaskErrorView {
  const { code, message, stage, attempt, retryable, nextStep } = error;
  return {
    code,
    message,
    stage: describe(stageTable, stage, language),
    attempt,
    retryable,
    nextStep: nextStep[language],
  };
}
