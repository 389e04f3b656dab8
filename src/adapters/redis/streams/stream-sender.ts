import { AppError } from '../../../domain/errors.js';
import type { Logger } from '../../../logging/logger.js';
import { RetryingSender, type SendLink } from '../../../messaging/broker/retrying-sender.js';
import type { MessageSender } from '../../../messaging/broker/watched-publisher.js';
import { brokerUnavailable, settlesWithin } from '../../../messaging/deadline.js';
import { bytesOf } from '../../../messaging/message-codec.js';
import type { OutgoingMessage, ReturnedMessage } from '../../../messaging/message-publisher.js';
import { StreamConnection } from './stream-connection.js';
import { describeRedisError, isAnswer, isReplica } from './stream-errors.js';
import { isDeadLetters } from '../../../messaging/topic.js';
import { streamFor } from './stream-names.js';
import type { StreamOptions } from './stream-options.js';
import { fieldsOf } from './stream-record.js';

/** An entry on its way to a stream. */
export interface NewEntry {
  readonly stream: string;
  readonly fields: readonly (Buffer | string)[];
  /** The stream keeps about so many, the newest. */
  readonly kept?: number;
}

/** Sends to Redis with a deadline. */
export class StreamSender implements MessageSender {
  private readonly sender: RetryingSender<readonly NewEntry[]>;

  constructor(
    private readonly options: StreamOptions,
    logger: Logger,
  ) {
    this.sender = new RetryingSender(() => new StreamLink(options), judge, options.sendDeadlineMs, logger);
  }

  async send(messages: readonly (OutgoingMessage | ReturnedMessage)[], deadlineMs: number): Promise<void> {
    await this.append(
      messages.map((message) => this.entryOf(message)),
      deadlineMs,
    );
  }

  /** Resolves when Redis has all of the entries. @throws AppError BROKER_UNAVAILABLE. */
  append(entries: readonly NewEntry[], deadlineMs: number): Promise<void> {
    return this.sender.send(entries, deadlineMs);
  }

  stop(): Promise<void> {
    return this.sender.stop();
  }

  private entryOf(message: OutgoingMessage | ReturnedMessage): NewEntry {
    const { topic, key, headers } = message;
    const { deadLettersKept: kept } = this.options;
    const fields = fieldsOf(key, bytesOf(message), headers);
    const entry = { stream: streamFor(this.options, topic, key), fields };
    return isDeadLetters(topic) ? { ...entry, kept } : entry;
  }
}

/** Whatever Redis answers but success holds for any message: it has no memory, may not write, or lets nobody in. */
function judge(error: unknown): 'new link' {
  if (error instanceof AppError) throw error;
  if (isAnswer(error) && !isReplica(error)) {
    throw brokerUnavailable(`The message broker takes no messages: ${describeRedisError(error)}`, error);
  }
  return 'new link';
}

/** One connection that appends. */
class StreamLink implements SendLink<readonly NewEntry[]> {
  readonly openedAt = performance.now();
  private readonly ready: Promise<StreamConnection>;
  private readonly inFlight = new Set<Promise<unknown>>();

  constructor({ url, sendDeadlineMs }: StreamOptions) {
    this.ready = StreamConnection.open(url, 'publisher', sendDeadlineMs);
    this.ready.catch(() => undefined); // every send awaits it and reports it
  }

  async send(batch: readonly NewEntry[]): Promise<void> {
    const connection = await this.ready;
    const sending = append(connection, batch);
    this.inFlight.add(sending);
    try {
      await sending;
    } finally {
      this.inFlight.delete(sending);
    }
  }

  async retire(ms: number): Promise<void> {
    await settlesWithin(ms, Promise.allSettled([this.ready, ...this.inFlight]));
    await this.ready.then(
      (connection) => connection.cut(),
      () => undefined, // it has been reported
    );
  }
}

/** All or nothing: were one refused amid others, those behind it would overtake it. */
async function append(connection: StreamConnection, batch: readonly NewEntry[]): Promise<void> {
  const [first] = batch;
  if (first && batch.length === 1) await connection.redis.xadd(...appendingOf(first));
  else {
    await connection.together((transaction) => {
      for (const entry of batch) transaction.xadd(...appendingOf(entry));
    });
  }
}

/** What XADD is given. */
function appendingOf({ stream, fields, kept }: NewEntry): [string, ...(Buffer | string | number)[]] {
  const limit = kept === undefined ? [] : ['MAXLEN', '~', kept];
  return [stream, ...limit, '*', ...fields];
}
