import type { Topic } from '../../../messaging/topic.js';

export interface StreamOptions {
  /** `redis://` or `rediss://`, with user and password. */
  readonly url: string;
  /** First part of every key. */
  readonly prefix: string;
  /** Streams that share the messages of one topic. */
  readonly partitions: number;
  /** How many dead letters are kept at least; the oldest beyond them go. */
  readonly deadLettersKept: number;
  /** Longest wait for one acknowledgement, in ms. */
  readonly sendDeadlineMs: number;
}

/** What consumers are made with. */
export interface StreamReading extends StreamOptions {
  /** The topics that were found there: they are read, and nothing is demanded. All are demanded and read unless given. */
  readonly found?: readonly Topic[];
}

/** All waits of a consumer, in ms. */
export interface ConsumerTimings {
  /** How long a stream stays with a reader that is not heard of. */
  readonly ownMs: number;
  /** How often a reader is heard of, and looks which streams are its share. */
  readonly beatMs: number;
  /** How long Redis may hold a question for new messages. */
  readonly blockMs: number;
  /** With one message in hand for this long a consumer is taken for stuck. */
  readonly silenceMs: number;
  /** How long stopping waits for the message in hand and for leaving. */
  readonly stopMs: number;
}

export const defaultTimings: ConsumerTimings = {
  ownMs: 5_000,
  beatMs: 1_000,
  blockMs: 1_000,
  silenceMs: 15_000,
  stopMs: 5_000,
};
