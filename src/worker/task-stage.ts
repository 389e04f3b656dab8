import type { Stage } from '../domain/task/stage.js';
import type { TaskRun } from './task-run.js';
import type { Closing } from './work-result.js';

/** One step of a task's walk. Safe to run twice: a second run finds what the first left and ends in the same rows. */
export interface TaskStage {
  readonly stage: Stage;
  /** Does the stage's work and marks it complete; the last stage of a walk leaves that to the closing it gives. */
  run(run: TaskRun): Promise<Closing | void>;
}
