import type { TransactionContext } from '../database/database.js';
import type { Topic, TaskMessage } from './topic.js';

export type MessageHeaders = Readonly<Record<string, string>>;

export interface OutgoingMessage {
  readonly topic: Topic;
  /** Messages of one key keep their order. The document's id. */
  readonly key: string;
  readonly value: TaskMessage;
  readonly headers: MessageHeaders;
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
}

/**
 * At least once, in order per key. `publish` resolves when the broker has stored every message, and rejects with
 * BROKER_UNAVAILABLE at the latest at the deadline. After a rejection the messages may still be stored, even twice.
 */
export interface MessagePublisher {
  start(): Promise<void>;
  publish(messages: readonly OutgoingMessage[], context: SendContext): Promise<void>;
  health(): PartHealth;
  /** Waits for sends in flight, bounded; may be called twice. */
  stop(): Promise<void>;
}
