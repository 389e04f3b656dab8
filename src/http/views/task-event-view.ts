import type { FeedLine } from '../../database/repositories/task-feed-repository.js';
import type { Language } from '../../domain/coded-value.js';
import type { TaskView as TaskState } from '../../progress/task-view.js';
import { IdTextField } from '../fields/id-fields.js';
import { TaskLogView, taskLogView } from './task-log-view.js';
import { taskView, type TaskView } from './task-view.js';

/** A line of a task's history as an event tells it. */
export class TaskEventView extends TaskLogView {
  @IdTextField({ description: 'The task it is about.', example: '241865211904000001' })
  taskId!: string;

  @IdTextField({
    description: 'The document of the task; null for the deletion of a whole base.',
    example: '241865211904000002',
    nullable: true,
  })
  documentId!: string | null;
}

export function taskEventView(line: FeedLine, language: Language): TaskEventView {
  return { taskId: line.taskId, documentId: line.documentId, ...taskLogView(line, language) };
}

/** A task without what is long and never changes, and without what changes with time alone. */
export type TaskProgressView = Omit<TaskView, 'buildSpec' | 'waiting' | 'nextPollMs'>;

export function taskProgressView(task: TaskState, language: Language): TaskProgressView {
  const { buildSpec, waiting, nextPollMs, ...progress } = taskView(task, language);
  void [buildSpec, waiting, nextPollMs];
  return progress;
}
