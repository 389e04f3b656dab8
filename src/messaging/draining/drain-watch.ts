import type { Logger } from '../../logging/logger.js';
import type { PartHealth } from '../message-publisher.js';
import type { DrainedBroker } from './drained-broker.js';

const everyMs = 10_000;
const deadlineMs = 3_000;
/** Looks in a row that find nothing: not every broker tells of a message that somebody has in hand. */
const looksInVain = 2;

/** Looks every few seconds how much is left in a broker that is drained, and says when nothing is. */
export class DrainWatch {
  private answers: boolean | undefined;
  private isEmpty: boolean | undefined;
  private inVain = 0;
  private missing = '';
  private detail = 'not looked at yet';
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly broker: Pick<DrainedBroker, 'lag' | 'missing'>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.looking = this.runOnce().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), everyMs);
    });
  }

  /** Waits for the look in flight, which is bounded. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** How much is left stands in the detail while all is well, too. */
  health(): PartHealth {
    return { up: this.answers === true, detail: this.detail };
  }

  /** One look. */
  async runOnce(): Promise<void> {
    try {
      const lags = await this.broker.lag(deadlineMs);
      if (this.answers === false) this.logger.info('a drained broker is back');
      this.answers = true;
      this.tellMissing();
      this.count([...lags.values()].reduce((sum, lag) => sum + lag, 0));
    } catch (error) {
      this.detail = error instanceof Error ? error.message : String(error);
      if (this.answers !== false) {
        this.logger.warn('a drained broker does not answer; the tasks are found in the database', { error });
      }
      this.answers = false;
    }
  }

  private count(left: number): void {
    this.inVain = left === 0 ? this.inVain + 1 : 0;
    this.detail = left === 0 ? 'nothing is left' : `messages that are left: ${left}`;
    if (left > 0 && this.isEmpty !== false) {
      this.isEmpty = false;
      this.logger.info('messages are left in a drained broker', { left });
    }
    if (this.inVain >= looksInVain && this.isEmpty !== true) {
      this.isEmpty = true;
      this.logger.info('a drained broker is empty');
    }
  }

  private tellMissing(): void {
    const missing = this.broker.missing.join(', ');
    if (missing === this.missing) return;
    this.missing = missing;
    if (missing !== '') this.logger.info('topics of a drained broker are not there, which is no fault', { missing });
  }
}
