import type { UpkeepRepository } from '../database/repositories/upkeep-repository.js';
import type { Logger } from '../logging/logger.js';
import type { UpkeepPass } from './upkeep-pass.js';

/** The upkeep role: looks which passes are due, and runs those that this process can claim, one after the other. */
export class Upkeep {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopping = new AbortController();
  private progressAt: number | undefined;

  /** @throws Error if two passes have one name. */
  constructor(
    private readonly passes: readonly UpkeepPass[],
    private readonly repository: UpkeepRepository,
    private readonly logger: Logger,
    private readonly roundMs: number,
  ) {
    if (new Set(passes.map(({ name }) => name)).size !== passes.length) throw new Error('two passes have one name');
  }

  start(): void {
    this.stopping = new AbortController();
    this.schedule(0);
  }

  /** Waits for the round in flight. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.round;
  }

  /** ms since a round last went through; undefined before the first. */
  progressAgeMs(): number | undefined {
    return this.progressAt === undefined ? undefined : performance.now() - this.progressAt;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.round = this.round
        .then(() => this.runRound())
        .then(() => {
          if (!this.stopping.signal.aborted) this.schedule(this.roundMs);
        });
    }, delayMs);
  }

  private async runRound(): Promise<void> {
    for (const pass of this.passes) {
      if (this.stopping.signal.aborted) return;
      await this.runPass(pass);
    }
    this.progressAt = performance.now();
  }

  private async runPass(pass: UpkeepPass): Promise<void> {
    try {
      if (!(await this.repository.claimTick(pass.name, pass.intervalMs))) return;
      const counts = await pass.runOnce(this.stopping.signal);
      await this.repository.recordRun(pass.name, counts, null);
      if (Object.values(counts).some((count) => count > 0))
        this.logger.info('upkeep pass did work', { pass: pass.name, counts });
    } catch (error) {
      // The next tick tries again; a pass that fails must not keep the others from running.
      this.logger.warn('upkeep pass failed', { pass: pass.name, error });
    }
  }
}
