import type { ClaimedTask } from '../database/repositories/task-lease-repository.js';
import { stagesOf } from '../domain/task/stage.js';
import { taskTypeTable, type TaskType } from '../domain/task/task-type.js';
import { TaskRun, type TaskRunParts } from './task-run.js';
import type { TaskStage } from './task-stage.js';
import { StageClock } from './stage-clock.js';
import type { TimeLimits } from './time-limits.js';
import { OverLimit, TaskLost, WorkerStopping, type Closing, type WorkResult } from './work-result.js';

/** The stages that carry out each type of task, in order. Stages that acceptance already did are left out. */
export type StagePlan = ReadonlyMap<TaskType, readonly TaskStage[]>;

/** Walks a claimed task through its stages, from the one where it stands. Never rejects: the result says how it ended. */
export class TaskWalker {
  /** @throws Error if a type's stages do not stand in the order of its walk. */
  constructor(
    private readonly plan: StagePlan,
    private readonly parts: TaskRunParts,
    private readonly limits: TimeLimits,
  ) {
    for (const [type, stages] of plan) requireOrder(type, stages);
  }

  /** @param held aborts when the task is lost, cancelled or given back. */
  async walk(task: ClaimedTask, held: AbortSignal): Promise<WorkResult> {
    const clock = new StageClock(task, this.limits);
    const signal = AbortSignal.any([held, clock.signal]);
    const run = new TaskRun(task, signal, this.parts);
    try {
      return { type: 'completed', run, close: await this.unlessAbandoned(this.runStages(run, clock), signal) };
    } catch (error) {
      // An aborted part may reject with an error of its own: the signal's reason is what really happened.
      const cause: unknown = signal.aborted ? signal.reason : error;
      if (cause instanceof TaskLost) return { type: 'superseded', run };
      if (cause instanceof WorkerStopping) return { type: 'released', run };
      if (cause instanceof OverLimit) return { type: 'overdue', run, error: cause };
      return { type: 'failed', run, error: cause };
    } finally {
      clock.stop();
    }
  }

  /**
   * The work's outcome, or the signal's reason if the work has not heeded it for a while: what hangs must not keep its slot.
   * It can write nothing more, since every write asks the signal first.
   */
  private async unlessAbandoned<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const abandoned = new Promise<never>((_, reject) => {
      const abandon = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', () => (timer = setTimeout(abandon, this.limits.heedMs)), { once: true });
    });
    try {
      return await Promise.race([work, abandoned]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async runStages(run: TaskRun, clock: StageClock): Promise<Closing> {
    const stages = this.plan.get(run.task.taskType);
    const from = stages?.findIndex(({ stage }) => stage === run.task.currentStage) ?? -1;
    if (!stages || from < 0)
      throw new Error(`no stage ${run.task.currentStage} for ${taskTypeTable[run.task.taskType].name}`);
    let close: Closing | void = undefined;
    for (const stage of stages.slice(from)) {
      await run.beginStage(stage.stage, clock.begin(stage.stage));
      close = await stage.run(run);
    }
    if (!close) throw new Error(`the last stage of ${taskTypeTable[run.task.taskType].name} gave no closing`);
    return close;
  }
}

function requireOrder(type: TaskType, stages: readonly TaskStage[]): void {
  const walk = stagesOf(type).map(({ stage }) => stage);
  const positions = stages.map(({ stage }) => walk.indexOf(stage));
  const inOrder = positions.every(
    (position, i) => position >= 0 && (i === 0 || position === (positions[i - 1] ?? -1) + 1),
  );
  if (!inOrder || positions.at(-1) !== walk.length - 1) {
    throw new Error(`the stages of ${taskTypeTable[type].name} are not those of its walk`);
  }
}
