import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import type { PartHealth } from '../message-publisher.js';

/** One membership in a group, from joining to its end; it is never brought back, a new one takes its place. */
export interface Session {
  /** True once messages can come. */
  readonly joined: boolean;
  /** ms since the broker last answered, or a handler last moved on. */
  readonly silentMs: number;
  /** Joins, and resolves with why the membership ended. Called once. */
  run(): Promise<Error>;
  /** Waits for the message in hand and leaves the group, bounded; may be called twice. */
  close(): Promise<void>;
}

export interface SessionRules {
  /** A session that shows no sign of life for this long, in ms, is not up. */
  readonly silenceMs: number;
  /** True when waiting may help and nothing is wrong on this side: such an end is never held against a session. */
  isOutage(error: unknown): boolean;
  describeError(error: unknown): string;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** A session that lived this long, in ms, is not held against the next one. */
const steadyMs = 60_000;
/** Sessions that may end in a row through something other than the broker. */
const mostStrikes = 5;

/** Puts a new session in the place of one that ended by itself, a bounded number of times in a row. */
export class SessionKeeper {
  private session: Session | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private trouble = 'joining the group';
  private gaveUp = false;

  constructor(
    private readonly open: () => Session,
    private readonly rules: SessionRules,
    private readonly logger: Logger,
  ) {}

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    this.running = this.supervise();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.session?.close();
    await this.running;
  }

  health(): PartHealth {
    const { session } = this;
    const up = session?.joined === true && session.silentMs < this.rules.silenceMs && !this.gaveUp;
    return {
      up,
      ...(session ? { lastProgressAgeMs: session.silentMs } : {}),
      ...(up ? {} : { detail: this.trouble }),
      ...(this.gaveUp ? { gaveUp: true } : {}),
    };
  }

  private async supervise(): Promise<void> {
    for (let strikes = 0, failures = 0; !this.isStopping;) {
      const session = this.open();
      this.session = session;
      const startedAt = performance.now();
      const cause = await session.run();
      await session.close();
      if (this.isStopping) return;
      if (performance.now() - startedAt > steadyMs) strikes = 0;
      failures = session.joined ? 1 : failures + 1;
      this.report(cause, failures);
      if (!this.rules.isOutage(cause) && (strikes += 1) >= mostStrikes) return this.giveUp(cause);
      await this.pauseBeforeRebuild(failures);
    }
  }

  private report(cause: Error, failures: number): void {
    this.trouble = this.rules.describeError(cause);
    if (failures === 1) this.logger.warn('a consumer ended; a new one takes its place', { error: cause });
    else this.logger.debug('a consumer could not start', { error: cause });
  }

  private giveUp(cause: Error): void {
    this.gaveUp = true;
    this.logger.error('a consumer ended too often; nothing is read any more', { error: cause });
  }

  private async pauseBeforeRebuild(failures: number): Promise<void> {
    const ms = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
