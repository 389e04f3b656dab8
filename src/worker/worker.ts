import type { ClaimedTask } from '../database/repositories/task-lease-repository.js';
import type { Logger } from '../logging/logger.js';
import { continueTrace } from '../tracing/trace-context.js';
import { presentTrace, traceFields, withTrace } from '../tracing/trace-scope.js';
import type { LeaseKeeper } from './lease-keeper.js';
import type { TaskIntake } from './task-intake.js';
import type { TaskReporter } from './task-reporter.js';
import type { TaskWalker } from './task-walker.js';

export interface WorkerParts {
  readonly keeper: LeaseKeeper;
  readonly walker: TaskWalker;
  readonly reporter: Pick<TaskReporter, 'report'>;
  readonly logger: Logger;
}

/** The worker role: intakes that claim tasks, and the walk, report and lease of each. */
export class Worker {
  private intakes: readonly TaskIntake[] = [];

  constructor(
    private readonly parts: WorkerParts,
    private readonly stopGraceMs: number,
  ) {}

  async start(intakes: readonly TaskIntake[]): Promise<void> {
    this.intakes = intakes;
    this.parts.keeper.start();
    await Promise.all(intakes.map((intake) => intake.start()));
  }

  /** Walks and reports one claimed task, as a hop of its trace. Never rejects: what cannot be stored is taken back when the lease ends. */
  execute(task: ClaimedTask): Promise<void> {
    return withTrace(continueTrace(task.trace ?? presentTrace()), () => this.attempt(task));
  }

  private async attempt(task: ClaimedTask): Promise<void> {
    const { keeper, walker, reporter, logger } = this.parts;
    const signal = keeper.hold(task);
    try {
      await reporter.report(await walker.walk(task, signal));
    } catch (error) {
      logger.error('result could not be stored; the lease will end', { taskId: task.id, ...traceFields(), error });
    } finally {
      keeper.drop(task.id);
    }
  }

  /** Takes no more, waits for work in hand within the grace, then gives the rest back. Safe to call twice. */
  async stop(): Promise<void> {
    await Promise.all(this.intakes.map((intake) => intake.stop()));
    const drained = Promise.all(this.intakes.map((intake) => intake.drained()));
    if (!(await settlesWithin(drained, this.stopGraceMs))) {
      this.parts.keeper.giveBackAll();
      await settlesWithin(drained, this.stopGraceMs);
    }
    this.parts.keeper.stop();
  }
}

/** True when the promise settles in time. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}
