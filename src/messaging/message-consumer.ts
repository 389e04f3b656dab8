import type { ConsumerGroup, Topic } from './topic.js';
import type { MessageHeaders, PartHealth } from './message-publisher.js';

export interface IncomingMessage {
  /** The topic without the environment's prefix, as the broker gave it; not yet checked. */
  readonly topic: string;
  readonly key: string | null;
  readonly value: Buffer | null;
  readonly headers: MessageHeaders;
  /**
   * Why nobody should be asked to do anything about it any more: whoever had it in hand was lost with it, again and again.
   * It is moved aside whatever the verdict, but for `later`.
   */
  readonly givenUp?: string;
}

/**
 * What becomes of a message: `done` acknowledges it; `later` has it delivered again after a growing pause of at most
 * seconds, before what follows it under its key; `dead` moves it aside with a reason.
 */
export type Verdict =
  | { readonly type: 'done' }
  | { readonly type: 'later'; readonly reason: string }
  | { readonly type: 'dead'; readonly reason: string };

/**
 * Gets messages one at a time. Quick: it claims and hands over, it does no work. Never rejects; if it does all the same,
 * that counts as `later`.
 */
export type MessageHandler = (message: IncomingMessage) => Promise<Verdict>;

/**
 * Delivers the messages of one group at least once, in order per key, one at a time. A message counts as read only after
 * its verdict; one whose process died before is delivered again, here or elsewhere.
 */
export interface MessageConsumer {
  /**
   * Resolves also while the broker is away: messages come when it is back.
   *
   * @throws StartRefusal if the broker answers and lacks what only an operator may create.
   */
  start(handler: MessageHandler): Promise<void>;
  /** No message is delivered after the one in hand until `resume`. May be called from the handler, and twice. */
  pause(): void;
  resume(): void;
  /** `up` is false while nothing can be delivered; `gaveUp` when it stopped by itself and could not be rebuilt. */
  health(): PartHealth;
  /** Waits for the message in hand, bounded; may be called twice. */
  stop(): Promise<void>;
}

/** The reading side of a broker. */
export interface MessageConsumers {
  create(group: ConsumerGroup): MessageConsumer;
  /**
   * How many messages of each topic are not acknowledged yet: those nobody was given, and the ones in hand where the
   * broker tells of them. Of every topic, whether anybody consumes it or not.
   *
   * @throws AppError BROKER_UNAVAILABLE, at the latest after `deadlineMs`.
   */
  lag(deadlineMs: number): Promise<ReadonlyMap<Topic, number>>;
}
