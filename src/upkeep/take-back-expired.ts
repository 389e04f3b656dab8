import type { Database } from '../database/database.js';
import type { TaskFailureRepository } from '../database/repositories/task-failure-repository.js';
import type { ExpiredTask, FoundTask, UpkeepRepository } from '../database/repositories/upkeep-repository.js';
import type { Id } from '../domain/ids/id.js';
import { silentWorker } from '../domain/task/progress.js';
import type { Logger } from '../logging/logger.js';
import { TaskRound } from './task-round.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

/** Takes tasks out of the hands of workers that died or hang, so that the work goes on elsewhere. */
export class TakeBackExpired implements UpkeepPass {
  readonly name = 'take-back-expired';
  private readonly round: TaskRound<FoundTask>;

  constructor(
    private readonly database: Database,
    private readonly repository: UpkeepRepository,
    private readonly failures: TaskFailureRepository,
    logger: Logger,
    readonly intervalMs: number,
  ) {
    this.round = new TaskRound((after, limit) => repository.expired(after, limit), logger);
  }

  async runOnce(signal?: AbortSignal): Promise<PassCounts> {
    let retried = 0;
    let timedOut = 0;
    const mend = async ({ taskId, documentId }: FoundTask): Promise<void> => {
      const task = await this.takeBack(taskId, documentId);
      if (task?.outOfRetries) timedOut += 1;
      else if (task) retried += 1;
    };
    const stuck = await this.round.run(mend, signal);
    return { retried, timedOut, stuck };
  }

  private takeBack(taskId: Id, documentId: Id): Promise<ExpiredTask | undefined> {
    return this.database.transaction(async (tx) => {
      await tx.query('select 1 from document where id = $1 for no key update', [documentId]);
      const task = await this.repository.takeBack(tx, taskId, silentWorker);
      if (task?.outOfRetries) await this.failures.record(tx, task, silentWorker);
      return task;
    });
  }
}
