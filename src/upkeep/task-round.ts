import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import type { Logger } from '../logging/logger.js';

const tasksAtOnce = 100;
/** A run takes no further task after this time, so that it does not keep other passes waiting. */
const runMs = 1_000;
const beginning: Id = '0';

/** Gives what is to be mended, by rising task ids above `after`, at most `limit`. */
export type FindTasks<T> = (after: Id, limit: number) => Promise<readonly T[]>;

/**
 * Mends tasks one after the other. Where the round stands is kept between runs: however many cannot be mended, none of
 * them is looked at again before every other was.
 */
export class TaskRound<T extends { readonly taskId: Id }> {
  private after = beginning;

  constructor(
    private readonly find: FindTasks<T>,
    private readonly logger: Logger,
  ) {}

  /** Gives how many could not be mended. Rejects if the database is away: the next run goes on there. */
  async run(mend: (task: T) => Promise<void>, signal?: AbortSignal): Promise<number> {
    const endsAt = performance.now() + runMs;
    const isOver = (): boolean => signal?.aborted === true || performance.now() > endsAt;
    let stuck = 0;
    while (!isOver()) {
      const tasks = await this.find(this.after, tasksAtOnce);
      for (const task of tasks) {
        if (!(await this.isMended(task, mend))) stuck += 1;
        this.after = task.taskId;
        if (isOver()) return stuck;
      }
      if (tasks.length < tasksAtOnce) break;
    }
    this.after = beginning;
    return stuck;
  }

  private async isMended(task: T, mend: (task: T) => Promise<void>): Promise<boolean> {
    try {
      await mend(task);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'DATABASE_UNAVAILABLE') throw error;
      this.logger.error('a task could not be mended', { taskId: task.taskId, error });
      return false;
    }
  }
}
