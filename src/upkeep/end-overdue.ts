import type { Database } from '../database/database.js';
import type { OverdueAttempt, OverdueRepository } from '../database/repositories/overdue-repository.js';
import type { TaskFailureRepository } from '../database/repositories/task-failure-repository.js';
import type { Logger } from '../logging/logger.js';
import { TaskRound } from './task-round.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

const failure = {
  code: 'TIME_LIMIT',
  message: 'The stage took longer than its limit, and its worker did not end it.',
} as const;

export interface EndOverdueOptions {
  readonly intervalMs: number;
  /** How long a worker has to end an attempt itself when it is over its limit. */
  readonly graceMs: number;
}

/** Ends attempts over their limit whose workers hang, although they keep their leases. */
export class EndOverdue implements UpkeepPass {
  readonly name = 'end-overdue';
  readonly intervalMs: number;
  private readonly round: TaskRound<OverdueAttempt>;

  constructor(
    private readonly database: Database,
    private readonly overdue: OverdueRepository,
    private readonly failures: TaskFailureRepository,
    logger: Logger,
    private readonly options: EndOverdueOptions,
  ) {
    this.intervalMs = options.intervalMs;
    this.round = new TaskRound((after, limit) => overdue.find(options.graceMs, after, limit), logger);
  }

  async runOnce(signal?: AbortSignal): Promise<PassCounts> {
    let timedOut = 0;
    const mend = async (attempt: OverdueAttempt): Promise<void> => {
      if (await this.end(attempt)) timedOut += 1;
    };
    const stuck = await this.round.run(mend, signal);
    return { timedOut, stuck };
  }

  private end(attempt: OverdueAttempt): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await tx.query('select 1 from document where id = $1 for no key update', [attempt.documentId]);
      const task = await this.overdue.end(tx, attempt, this.options.graceMs, failure);
      if (task) await this.failures.record(tx, task, failure);
      return task !== undefined;
    });
  }
}
