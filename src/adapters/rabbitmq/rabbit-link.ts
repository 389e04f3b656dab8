import type { ConfirmChannel } from 'amqplib';
import type { SendLink } from '../../messaging/broker/retrying-sender.js';
import { brokerUnavailable, settlesWithin } from '../../messaging/deadline.js';
import { RabbitConnection } from './rabbit-connection.js';
import type { RabbitOptions } from './rabbit-options.js';

/** A message on its way to a queue. */
export interface Mail {
  readonly queue: string;
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The broker gave a message back because its queue is not there. */
export class Unroutable extends Error {
  override readonly name = 'Unroutable';
}

/** One connection with a channel on which the broker confirms what it has stored. */
export class RabbitLink implements SendLink<readonly Mail[]> {
  readonly openedAt = performance.now();
  private readonly ready: Promise<{ connection: RabbitConnection; channel: ConfirmChannel }>;
  private readonly inFlight = new Set<Promise<unknown>>();
  /** Ids of messages that came back; the confirmation of each follows. */
  private readonly returned = new Set<string>();
  /** By its id, what lets the caller of a message on its way go. */
  private readonly waiting = new Map<string, (error: Error) => void>();
  private lastId = 0;

  constructor({ url, sendDeadlineMs }: RabbitOptions) {
    this.ready = this.open(url, sendDeadlineMs);
    this.ready.catch(() => undefined); // every send awaits it and reports it
  }

  async send(batch: readonly Mail[]): Promise<void> {
    const { connection, channel } = await this.ready;
    if (connection.blocked) throw takesNone();
    const sending = Promise.all(batch.map((mail) => this.store(channel, mail)));
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
      ({ connection }) => connection.close(ms),
      () => undefined, // it has been reported
    );
  }

  private async open(url: string, ms: number): Promise<{ connection: RabbitConnection; channel: ConfirmChannel }> {
    const connection = await RabbitConnection.open(url, 'publisher', ms);
    connection.onBlocked = () => {
      for (const reject of this.waiting.values()) reject(takesNone());
    };
    // Whatever ends the channel fails the sends that are under way.
    const channel = await connection.openConfirmChannel(() => connection.cut());
    channel.on('return', ({ properties }) => this.returned.add(String(properties.messageId)));
    return { connection, channel };
  }

  /** Rejects with a RangeError or TypeError what does not fit into a message. */
  private store(channel: ConfirmChannel, { queue, content, headers }: Mail): Promise<void> {
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      const messageId = String(this.lastId);
      const options = { persistent: true, mandatory: true, messageId, headers };
      channel.publish('', queue, content, options, (error: Error | null) => {
        this.waiting.delete(messageId);
        if (error) reject(error);
        else if (this.returned.delete(messageId)) reject(new Unroutable(`there is no queue ${queue}`));
        else resolve();
      });
      this.waiting.set(messageId, reject);
    });
  }
}

function takesNone(): Error {
  return brokerUnavailable('The message broker takes no messages at present.');
}
