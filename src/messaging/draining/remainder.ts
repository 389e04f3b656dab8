import type { MessageConsumers } from '../message-consumer.js';
import type { Topic } from '../topic.js';

/** What a broker to which nothing is sent any more still has. */
export interface Remainder {
  /** Those that are there. */
  readonly topics: readonly Topic[];
  /** What is not there, by the broker's names; nothing can lie in it. */
  readonly missing: readonly string[];
  /** Read what is there, make nothing and demand nothing else. */
  readonly consumers: MessageConsumers;
}

/**
 * Looks what is there, over a connection of its own.
 *
 * @throws AppError BROKER_UNAVAILABLE, at the latest after `deadlineMs`, also if the broker answers and cannot be read.
 */
export type Survey = (deadlineMs: number) => Promise<Remainder>;
