import { Redis } from 'ioredis';
import type { Logger } from '../../logging/logger.js';
import { settlesWithin } from '../../messaging/deadline.js';
import type { PartHealth } from '../../messaging/message-publisher.js';

/** How long anybody waits for an answer of Redis, in ms. */
const usualAnswerMs = 150;
const connectWithinMs = 1_000;
/** How long a connection that is told to close may take, in ms. */
const closeWithinMs = 200;
/** Pause between two looks at Redis, in ms. */
const lookEveryMs = 1_000;
/** Longest rest, in ms, for a Redis that keeps coming back and failing; one that stayed up for as long starts anew. */
const longestRestMs = 30_000;

/**
 * A connection to a Redis that nothing depends on. Questions have a bound and never reject. After one that failed,
 * Redis is not asked any more until it answers a look in the background: no caller waits for it twice.
 */
export class RedisLink {
  private readonly redis: Redis;
  private up = false;
  private upSince = -Infinity;
  private restMs = lookEveryMs;
  private lastError: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    url: string,
    private readonly logger: Logger,
    private readonly answerWithinMs = usualAnswerMs,
  ) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: connectWithinMs,
      commandTimeout: this.answerWithinMs,
      disconnectTimeout: closeWithinMs,
      // Whoever asks has gone on when the connection is back: nothing is kept for then.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(times * 100, lookEveryMs),
    });
    this.redis.on('error', (error: Error) => (this.lastError = error.message));
    this.redis.on('close', () => this.lose(new Error('the connection was closed')));
  }

  /** Resolves after the first look, whatever it saw. */
  async start(): Promise<void> {
    await settlesWithin(Math.max(connectWithinMs, this.answerWithinMs), this.redis.connect());
    await this.look();
    if (!this.up) this.tellTrouble();
  }

  /** The answer; `otherwise` when Redis is away, refuses or is too slow. Work that was asked for may still be done. */
  async ask<T>(otherwise: T, work: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.up) return otherwise;
    try {
      return await work(this.redis);
    } catch (error) {
      this.lose(error);
      return otherwise;
    }
  }

  /** Calls back with every message on a channel, also after connections that were lost. The link is for this only then. */
  listen(channel: string, onMessage: (message: string) => void): void {
    this.redis.on('message', (_channel: string, message: string) => onMessage(message));
    const subscribe = (): void => void this.redis.subscribe(channel).catch((error: unknown) => this.lose(error));
    this.redis.on('ready', subscribe);
    if (this.redis.status === 'ready') subscribe();
  }

  health(): PartHealth {
    return this.up ? { up: true } : { up: false, detail: 'Redis does not answer; the service does without it.' };
  }

  /** Bounded; may be called twice. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.up = false;
    clearTimeout(this.timer);
    if (this.redis.status === 'end') return;
    const ended = new Promise<void>((resolve) => this.redis.once('end', resolve));
    this.redis.disconnect();
    await settlesWithin(closeWithinMs * 2, ended);
  }

  private async look(): Promise<void> {
    try {
      await this.redis.ping();
      this.find();
    } catch (error) {
      if (this.up) this.lose(error);
      else this.plan(lookEveryMs);
    }
  }

  private find(): void {
    if (!this.up && !this.stopped) {
      this.up = true;
      this.upSince = performance.now();
      this.logger.info('redis answers');
    }
    this.plan(lookEveryMs);
  }

  private lose(error: unknown): void {
    if (!this.up) return;
    this.up = false;
    // Whoever finds no connection learns less than the connection knows.
    if (this.redis.status === 'ready' || this.redis.status === 'close')
      this.lastError = error instanceof Error ? error.message : String(error);
    this.tellTrouble();
    const stayedUp = performance.now() - this.upSince >= longestRestMs;
    this.restMs = stayedUp ? lookEveryMs : Math.min(this.restMs * 2, longestRestMs);
    this.plan(this.restMs);
    // What was asked on this connection may be answered at any time; a new one has nothing of the kind on it.
    this.redis.disconnect(true);
  }

  private tellTrouble(): void {
    this.logger.warn('redis does not answer; going on without it', { reason: this.lastError });
  }

  private plan(pauseMs: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.look(), pauseMs);
    this.timer.unref();
  }
}
