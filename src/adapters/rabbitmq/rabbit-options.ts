export interface RabbitOptions {
  /** `amqp://` or `amqps://`, with user and password. */
  readonly url: string;
  /** First part of every queue's name. */
  readonly prefix: string;
  /** Queues that share the messages of one topic. */
  readonly partitions: number;
  /** Quorum queues are replicated where the broker is a cluster; classic ones lie on one node. */
  readonly queueType: 'quorum' | 'classic';
  /** Whether queues that are missing are made; otherwise only an operator makes them. */
  readonly declares: boolean;
  /** Longest wait for one acknowledgement, in ms. */
  readonly sendDeadlineMs: number;
}

/** What consumers are made with. */
export interface RabbitReading extends RabbitOptions {
  /** Full names of the queues that were found there: they are read, and nothing is demanded. All are, unless given. */
  readonly found?: ReadonlySet<string>;
}

/** All waits of a consumer, in ms. */
export interface ConsumerTimings {
  /** How often members tell each other that they are there; one is forgotten after four times as long. */
  readonly beaconMs: number;
  /** Without an answer of the broker, or with one message in hand, for this long a consumer is taken for stuck. */
  readonly silenceMs: number;
  /** How long stopping waits, for the message in hand and again for closing the connection. */
  readonly stopMs: number;
  /**
   * A message that was held for so long without a verdict goes back to its queue. The broker closes the channel of whoever
   * holds one for half an hour, unless it is set up otherwise.
   */
  readonly holdMs: number;
}

export const defaultTimings: ConsumerTimings = {
  beaconMs: 1_000,
  silenceMs: 15_000,
  stopMs: 5_000,
  holdMs: 25 * 60_000,
};
