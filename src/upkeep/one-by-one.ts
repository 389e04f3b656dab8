import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import type { Logger } from '../logging/logger.js';

/**
 * Mends tasks one after the other. One that cannot be mended is told and does not keep those behind it waiting; gives how
 * many there were. Rejects if the database is away: the next run begins again.
 */
export async function oneByOne<T extends { readonly taskId: Id }>(
  tasks: readonly T[],
  mend: (task: T) => Promise<void>,
  logger: Logger,
): Promise<number> {
  let stuck = 0;
  for (const task of tasks) {
    try {
      await mend(task);
    } catch (error) {
      if (error instanceof AppError && error.code === 'DATABASE_UNAVAILABLE') throw error;
      stuck += 1;
      logger.error('a task could not be mended', { taskId: task.taskId, error });
    }
  }
  return stuck;
}
