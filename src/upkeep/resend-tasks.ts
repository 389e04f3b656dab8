import type { UnclaimedTask, UpkeepRepository } from '../database/repositories/upkeep-repository.js';
import type { Logger } from '../logging/logger.js';
import type { MessagePublisher } from '../messaging/message-publisher.js';
import { taskMessage } from '../messaging/task-message.js';
import type { PassCounts, UpkeepPass } from './upkeep-pass.js';

const batch = 100;

export interface ResendOptions {
  readonly intervalMs: number;
  readonly resendAfterMs: number;
  readonly sendDeadlineMs: number;
}

/** Sends the messages of tasks that nobody claimed, and of retries that are due, again. Too many messages do no harm. */
export class ResendTasks implements UpkeepPass {
  readonly name = 'resend-tasks';
  readonly intervalMs: number;

  constructor(
    private readonly repository: UpkeepRepository,
    private readonly publisher: MessagePublisher,
    private readonly logger: Logger,
    private readonly options: ResendOptions,
  ) {
    this.intervalMs = options.intervalMs;
  }

  async runOnce(): Promise<PassCounts> {
    const { resendAfterMs } = this.options;
    const unclaimed = await this.repository.takeUnclaimed(resendAfterMs, batch);
    const due = await this.repository.takeDueRetries(resendAfterMs, batch);
    await this.send([...unclaimed, ...due]);
    return { unclaimed: unclaimed.length, dueRetries: due.length };
  }

  private async send(tasks: readonly UnclaimedTask[]): Promise<void> {
    if (tasks.length === 0) return;
    this.logger.info('sending tasks again', { tasks: tasks.map(({ id }) => id) });
    await this.publisher.publish(tasks.map(taskMessage), { deadlineMs: this.options.sendDeadlineMs });
  }
}
