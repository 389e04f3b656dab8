import { AppError } from '../domain/errors.js';
import type { TaskChange } from '../domain/task/task-change.js';
import type { Logger } from '../logging/logger.js';
import type { BaseFeeds } from './base-feeds.js';
import type { BaseFeed, EventFeed, TaskFeed } from './event-feed.js';
import type { ProgressSignal } from './progress-signal.js';
import type { TaskFeeds } from './task-feeds.js';

/** Pauses between two looks for everybody, in ms: where every change is heard, and where some are not. */
const heardEveryMs = 1_000;
const unheardEveryMs = 500;
/** Shortest pause between two looks: changes that come close together are read together. */
const gapMs = 50;

export interface EventPumpParts {
  readonly tasks: Pick<TaskFeeds, 'deliver'>;
  readonly bases: Pick<BaseFeeds, 'deliver'>;
  readonly signal: ProgressSignal;
  readonly logger: Logger;
}

/** Reads the log for all open streams of this process, in rounds: when a change is announced, and every so often. */
export class EventPump {
  private readonly feeds = new Set<EventFeed>();
  private endListening: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;
  private round: Promise<void> | undefined;
  private lookedAt = -Infinity;
  private lookedForAllAt = -Infinity;
  private failing = false;
  private stopped = false;

  /** @param mostFeeds streams that may be open at once. */
  constructor(
    private readonly parts: EventPumpParts,
    private readonly mostFeeds: number,
  ) {}

  /** @throws AppError TOO_BUSY if no stream more may be opened. */
  requireRoom(): void {
    if (this.stopped) throw new AppError('TOO_BUSY', 'The service is stopping.');
    if (this.feeds.size < this.mostFeeds) return;
    throw new AppError(
      'TOO_BUSY',
      `${this.mostFeeds} event streams are open, which is the limit. Poll the task instead, or try again later.`,
      { limit: this.mostFeeds },
    );
  }

  /** Feeds an outlet until it is gone. @throws AppError TOO_BUSY. */
  open(feed: EventFeed): void {
    this.requireRoom();
    if (this.feeds.size === 0) this.endListening = this.parts.signal.subscribe((change) => this.hear(change));
    this.feeds.add(feed);
    feed.outlet.connect(
      () => this.wake(),
      () => this.close(feed),
    );
    this.wake();
  }

  /** Waits for the round in flight, and ends all streams. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unschedule();
    for (const { outlet } of this.feeds) outlet.end();
    await this.round;
  }

  /** Gives every reader that is ready what there may be for it. */
  private async look(): Promise<void> {
    const due = [...this.feeds].filter((feed) => feed.due && feed.outlet.ready);
    for (const feed of due) feed.due = false;
    try {
      await this.parts.tasks.deliver(due.filter(isOfTask));
      await this.parts.bases.deliver(due.filter(isOfBase));
      this.failing = false;
    } catch (error) {
      // Nobody was moved on past what was not read. The next look is at everybody again.
      this.lookedForAllAt = -Infinity;
      if (!this.failing) this.parts.logger.warn('event streams cannot be fed', { error });
      this.failing = true;
    }
  }

  private close(feed: EventFeed): void {
    if (!this.feeds.delete(feed) || this.feeds.size > 0) return;
    this.endListening();
    this.unschedule();
  }

  private hear({ taskId }: TaskChange): void {
    for (const feed of this.feeds) if (isOfBase(feed) || feed.taskId === taskId) feed.due = true;
    this.wake();
  }

  private wake(): void {
    if (!this.round) this.schedule();
  }

  /** Sets the timer for the next round, or lets it be if it comes early enough. */
  private schedule(): void {
    if (this.stopped || this.feeds.size === 0) return;
    const somebodyWaits = !this.failing && [...this.feeds].some((feed) => feed.due && feed.outlet.ready);
    const at = this.lookedAt + (somebodyWaits ? gapMs : this.lookEveryMs);
    if (at >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = at;
    this.timer = setTimeout(() => this.startRound(), at - performance.now());
  }

  private unschedule(): void {
    clearTimeout(this.timer);
    this.timerAt = Infinity;
  }

  private startRound(): void {
    const now = performance.now();
    this.timerAt = Infinity;
    this.lookedAt = now;
    if (now - this.lookedForAllAt >= this.lookEveryMs) {
      for (const feed of this.feeds) feed.due = true;
      this.lookedForAllAt = now;
    }
    this.round = this.look().finally(() => {
      this.round = undefined;
      this.schedule();
    });
  }

  private get lookEveryMs(): number {
    return this.parts.signal.reachesAll ? heardEveryMs : unheardEveryMs;
  }
}

function isOfTask(feed: EventFeed): feed is TaskFeed {
  return 'taskId' in feed;
}

function isOfBase(feed: EventFeed): feed is BaseFeed {
  return !isOfTask(feed);
}
