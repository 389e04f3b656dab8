import type { Clock } from '../../domain/clock.js';

export interface KafkaOptions {
  /** Bootstrap servers, `host:port`. */
  readonly brokers: readonly string[];
  /** First part of every topic and group name. */
  readonly prefix: string;
  /** Longest wait for one acknowledgement, in ms. */
  readonly sendDeadlineMs: number;
  /** Dates messages: a broker refuses those that come from far in its future. The machine's, unless there is a better one. */
  readonly clock?: Clock;
}

/** All waits of a consumer, in ms; each follows from how long the group keeps a silent member. */
export interface ConsumerTimings {
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /** How long a rebalance waits for members to come back. */
  readonly rebalanceMs: number;
  readonly requestMs: number;
  /** Without a sign of life for this long a consumer is taken for stuck. */
  readonly silenceMs: number;
  /** How long stopping waits, for the message in hand and again for leaving the group. */
  readonly stopMs: number;
}

/** A broker refuses sessions under 6 s unless it is set up otherwise. */
export const defaultSessionMs = 10_000;

export function consumerTimings(sessionMs: number): ConsumerTimings {
  return {
    sessionMs,
    heartbeatMs: sessionMs / 10,
    rebalanceMs: sessionMs * 2,
    requestMs: sessionMs,
    silenceMs: sessionMs * 3,
    stopMs: sessionMs / 2,
  };
}
