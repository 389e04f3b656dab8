import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import { brokerUnavailable, withDeadline } from '../deadline.js';

const firstPauseMs = 50;

/** One connection that sends. */
export interface SendLink<B> {
  /** By the monotonic clock, in ms. */
  readonly openedAt: number;
  /**
   * Resolves when the broker has stored all of it.
   *
   * @param expired what is not on its way when it fires need not be sent any more
   */
  send(batch: B, expired: AbortSignal): Promise<void>;
  /** Lets what is in flight end, at most `ms`, then closes. */
  retire(ms: number): Promise<void>;
}

/**
 * What a failed try means: `again` over the same link, or over a `new link`. Throws what trying again cannot change.
 *
 * @param tries how many have failed, this one included
 */
export type JudgeSend = (error: unknown, tries: number) => 'again' | 'new link';

/**
 * Sends with a deadline over one link at a time. It retries by itself, so that nothing is sent any more once the deadline
 * has passed, and replaces a link that stopped answering.
 */
export class RetryingSender<B> {
  private link: SendLink<B> | undefined;
  private readonly retiring = new Set<Promise<void>>();
  private stopped = false;

  /** @param retireMs how long a link that is replaced may take to end */
  constructor(
    private readonly open: () => SendLink<B>,
    private readonly judge: JudgeSend,
    private readonly retireMs: number,
    private readonly logger: Logger,
  ) {}

  /** Resolves when the broker has stored the batch. @throws AppError BROKER_UNAVAILABLE, and whatever `judge` throws. */
  async send(batch: B, deadlineMs: number): Promise<void> {
    this.refuseOnceStopped();
    const startedAt = performance.now();
    await withDeadline(deadlineMs, async (expired) => {
      // The one in use has then been silent for the whole deadline.
      expired.addEventListener('abort', () => this.replace(this.link, startedAt), { once: true });
      await this.attempt(batch, expired);
    });
  }

  /** Waits for sends in flight, bounded. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.replace(this.link, Infinity);
    await Promise.all(this.retiring);
  }

  private async attempt(batch: B, expired: AbortSignal): Promise<void> {
    for (let tries = 1, pauseMs = firstPauseMs; ; tries += 1, pauseMs *= 2) {
      const link = (this.link ??= this.open());
      try {
        return await link.send(batch, expired);
      } catch (error) {
        if (this.judge(error, tries) === 'new link') this.replace(link, Infinity);
        this.logger.debug('a send failed and is tried again', { tries, error });
      }
      await pause(pauseMs, undefined, { signal: expired });
      this.refuseOnceStopped();
    }
  }

  private refuseOnceStopped(): void {
    if (this.stopped) throw brokerUnavailable('The connection to the message broker is closed.');
  }

  /** Retires the link if it is still the one in use and was there before `olderThan`; the next send opens another. */
  private replace(link: SendLink<B> | undefined, olderThan: number): void {
    if (!link || link !== this.link || link.openedAt > olderThan) return;
    this.link = undefined;
    const retired = link.retire(this.retireMs).finally(() => this.retiring.delete(retired));
    this.retiring.add(retired);
  }
}
