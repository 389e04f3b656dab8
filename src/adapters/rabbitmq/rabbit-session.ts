import type { Channel } from 'amqplib';
import type { Logger } from '../../logging/logger.js';
import type { Deliver } from '../../messaging/broker/laned-consumer.js';
import type { Session } from '../../messaging/broker/session-keeper.js';
import { settlesWithin } from '../../messaging/deadline.js';
import { RabbitConnection } from './rabbit-connection.js';
import type { RabbitRecord } from './rabbit-message.js';
import type { ConsumerTimings, RabbitOptions } from './rabbit-options.js';
import { RabbitQueueReader } from './rabbit-queue-reader.js';
import { missingQueues } from './rabbit-queues.js';

export interface SessionTerms {
  readonly options: RabbitOptions;
  readonly timings: ConsumerTimings;
  /** What the broker's operator reads. */
  readonly name: string;
  readonly queues: readonly string[];
  /** Told when it stands in the lines of all its queues, and last in each. */
  readonly onLinedUp: () => void;
}

/**
 * Reads some queues over one connection. It ends as a whole when the connection, a channel or a queue does, when the
 * broker falls silent, or when it is closed.
 */
export class RabbitSession implements Session {
  joined = false;
  private readonly ending: Promise<Error>;
  private end: (cause: Error) => void = () => undefined;
  private readonly closing = new AbortController();
  private connection: RabbitConnection | undefined;
  private readers: RabbitQueueReader[] = [];
  private closed: Promise<void> | undefined;
  private pulse: NodeJS.Timeout | undefined;
  private answeredAt = performance.now();

  constructor(
    private readonly terms: SessionTerms,
    private readonly deliver: Deliver<RabbitRecord>,
    private readonly logger: Logger,
  ) {
    this.ending = new Promise((resolve) => (this.end = resolve));
  }

  get silentMs(): number {
    return performance.now() - this.answeredAt;
  }

  async run(): Promise<Error> {
    try {
      await this.begin();
    } catch (error) {
      this.end(error as Error);
    }
    const cause = await this.ending;
    clearInterval(this.pulse);
    return cause;
  }

  /** Lets others pass at all queues but its own. @param isOwn by the queue's number */
  stepBack(isOwn: (number: number) => boolean): void {
    if (!this.joined) return;
    this.readers.forEach((reader, number) => {
      if (!isOwn(number)) reader.stepBack();
    });
  }

  close(): Promise<void> {
    return (this.closed ??= this.closeOnce());
  }

  private async closeOnce(): Promise<void> {
    this.closing.abort();
    clearInterval(this.pulse);
    const { stopMs } = this.terms.timings;
    await settlesWithin(stopMs, Promise.all(this.readers.map((reader) => reader.stop())));
    await this.connection?.close(stopMs);
    this.end(new Error('the session was closed'));
  }

  private async begin(): Promise<void> {
    const { options, timings, name, queues, onLinedUp } = this.terms;
    const { signal } = this.closing;
    const connection = await RabbitConnection.open(options.url, name, options.sendDeadlineMs, signal);
    this.connection = connection;
    void connection.ended.then(this.end);
    this.watchPulse(await connection.openChannel(this.end));
    if (options.declares) await missingQueues(connection, options, queues);
    signal.throwIfAborted();
    this.readers = queues.map(
      (queue) =>
        new RabbitQueueReader(
          { connection, queue, holdMs: timings.holdMs, onLost: this.end },
          this.deliver,
          this.logger,
        ),
    );
    for (const reader of this.readers) {
      await reader.open();
      signal.throwIfAborted();
    }
    this.joined = true;
    onLinedUp();
  }

  /** Asks again and again for something that needs an answer. */
  private watchPulse(channel: Channel): void {
    const { silenceMs } = this.terms.timings;
    this.answeredAt = performance.now();
    let asking = false;
    this.pulse = setInterval(() => {
      if (this.silentMs > silenceMs) this.end(new Error(`the broker did not answer for ${silenceMs} ms`));
      if (asking) return;
      asking = true;
      channel
        .prefetch(1)
        .then(
          () => (this.answeredAt = performance.now()),
          () => undefined, // the channel tells why it ended
        )
        .finally(() => (asking = false));
    }, silenceMs / 10);
  }
}
