import type { TaskLeaseRepository } from '../database/repositories/task-lease-repository.js';
import type { TaskType } from '../domain/task/task-type.js';
import type { Logger } from '../logging/logger.js';
import type { TaskIntake } from './task-intake.js';

/** Ids asked for per free slot: of workers that look at once, each goes on to those that the others left. */
const idsPerSlot = 4;

export interface TaskFinderParts {
  readonly leases: Pick<TaskLeaseRepository, 'claimable'>;
  readonly intake: Pick<TaskIntake, 'room' | 'takeFound'>;
  readonly random: () => number;
  readonly logger: Logger;
}

export interface TaskFinderOptions {
  readonly types: readonly TaskType[];
  /** Pause between two looks, in ms; it varies by a quarter, so that workers do not look all at once. */
  readonly everyMs: number;
  /** How long a message has to lead to a claim, in ms. */
  readonly afterMs: number;
}

/**
 * Looks in the database itself, while a slot is free, for tasks whose message was lost or whose worker died, and has them
 * claimed as if a message had come. So neither needs the broker, nor upkeep, to go on.
 */
export class TaskFinder {
  private timer: NodeJS.Timeout | undefined;
  private look: Promise<unknown> = Promise.resolve();
  private stopped = true;
  private inTrouble = false;

  constructor(
    private readonly parts: TaskFinderParts,
    private readonly options: TaskFinderOptions,
  ) {}

  start(): void {
    this.stopped = false;
    this.schedule();
  }

  /** Waits for the look in flight. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.look;
  }

  /** One look; gives how many tasks it got. */
  async runOnce(): Promise<number> {
    const { leases, intake } = this.parts;
    if (intake.room === 0) return 0;
    const { types, afterMs } = this.options;
    let taken = 0;
    for (const taskId of await leases.claimable(types, afterMs, intake.room * idsPerSlot)) {
      if (await intake.takeFound(taskId)) taken += 1;
      if (intake.room === 0) break;
    }
    if (taken > 0) this.parts.logger.info('found tasks that no message led to', { taken });
    return taken;
  }

  private schedule(): void {
    const delayMs = this.options.everyMs * (0.75 + this.parts.random() / 2);
    this.timer = setTimeout(() => {
      this.look = this.lookAround().then(() => {
        if (!this.stopped) this.schedule();
      });
    }, delayMs);
  }

  /** The next look tries again; a database that stays away is told once. */
  private async lookAround(): Promise<void> {
    try {
      await this.runOnce();
      this.inTrouble = false;
    } catch (error) {
      if (!this.inTrouble) this.parts.logger.warn('tasks could not be looked for', { error });
      this.inTrouble = true;
    }
  }
}
