import type { WorkerCard, WorkerRepository } from '../database/repositories/worker-repository.js';
import type { Logger } from '../logging/logger.js';

const beatsPerLife = 3;
/** How long a worker that died without a word stays on the list, in ms. */
const keepSilentMs = 3_600_000;

/** Says in the database, again and again, that this worker is there; people see by it whether anybody is. */
export class WorkerPresence {
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();

  constructor(
    private readonly workers: WorkerRepository,
    private readonly card: WorkerCard,
    /** How long a silent worker counts as alive, in ms. */
    private readonly aliveMs: number,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await this.workers.forgetSilent(keepSilentMs);
    await this.workers.beat(this.card, this.aliveMs);
    this.timer = setInterval(() => {
      this.beating = this.beat();
    }, this.aliveMs / beatsPerLife);
    this.timer.unref();
  }

  /** Takes the worker off the list. Safe to call twice. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    await this.workers.leave(this.card.id);
  }

  /** The next beat tries again: nothing depends on being seen. */
  private async beat(): Promise<void> {
    try {
      await this.workers.beat(this.card, this.aliveMs);
    } catch (error) {
      this.logger.warn('the worker could not say that it is alive', { error });
    }
  }
}
