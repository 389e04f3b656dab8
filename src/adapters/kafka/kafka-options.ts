import type { Clock } from '../../domain/clock.js';
import type { Topic } from '../../messaging/topic.js';

/** Where the brokers are, and how they let one in. */
export interface KafkaAccess {
  /** Bootstrap servers, `host:port`. */
  readonly brokers: readonly string[];
  /** Encrypted if there; `ca`: certificates (PEM) that the broker's must come from. */
  readonly tls?: { readonly ca?: string };
  readonly sasl?: SaslCredentials;
}

type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512';
export type SaslCredentials = {
  readonly [M in SaslMechanism]: { readonly mechanism: M; readonly username: string; readonly password: string };
}[SaslMechanism];

export interface KafkaOptions extends KafkaAccess {
  /** First part of every topic and group name. */
  readonly prefix: string;
  /** Longest wait for one acknowledgement, in ms. */
  readonly sendDeadlineMs: number;
  readonly compress?: boolean;
  /** Dates messages: a broker refuses those that come from far in its future. The machine's, unless there is a better one. */
  readonly clock?: Clock;
}

/** What consumers are made with. */
export interface KafkaReading extends KafkaOptions {
  /** How long a group keeps a silent member, in ms; 10 s unless given. */
  readonly sessionMs?: number;
  /** The topics that were found there: they are read, and nothing is demanded. All are demanded and read unless given. */
  readonly found?: readonly Topic[];
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
