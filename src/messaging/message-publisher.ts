import type { TransactionContext } from '../database/database.js';
import type { Destination, TaskMessage } from './topic.js';

export type MessageHeaders = Readonly<Record<string, string>>;

export interface OutgoingMessage {
  readonly topic: Destination;
  /** Messages of one key keep their order. The document's id. */
  readonly key: string;
  readonly value: TaskMessage;
  readonly headers: MessageHeaders;
}

/** A message that was moved aside, on its way back to its topic as it was. */
export interface ReturnedMessage extends Omit<OutgoingMessage, 'value'> {
  readonly bytes: Buffer;
}

export interface SendContext {
  /** A broker that lives in the database sends as part of it; others ignore it. */
  readonly transaction?: TransactionContext;
  /** When to give up, in ms from now. */
  readonly deadlineMs: number;
}

/** What a part says of itself for `/health/ready`. */
export interface PartHealth {
  readonly up: boolean;
  /** ms since it last got something done; absent before the first time. */
  readonly lastProgressAgeMs?: number;
  readonly detail?: string;
  /** True once it has stopped trying to come back by itself: only another process can help. */
  readonly gaveUp?: boolean;
}

/**
 * The broker answers, and refuses these very messages: sending the same again cannot succeed. A transaction that the
 * send was to join is as it was before.
 */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}

/**
 * At least once, in order per key. `publish` resolves when the broker has stored every message. It rejects at the latest
 * at the deadline: with AppError BROKER_UNAVAILABLE (the messages may still be stored, even twice), with
 * {@link MessageRefused}, or with the error of the transaction that it joined.
 */
export interface MessagePublisher {
  /**
   * Resolves also while the broker is away: sends are refused until it is back.
   *
   * @throws StartRefusal if the broker answers and lacks what only an operator may create.
   */
  start(): Promise<void>;
  publish(messages: readonly (OutgoingMessage | ReturnedMessage)[], context: SendContext): Promise<void>;
  health(): PartHealth;
  /** Waits for sends in flight, bounded; may be called twice. */
  stop(): Promise<void>;
}
