import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Logger } from '../../logging/logger.js';
import type { Deliver } from '../../messaging/broker/laned-consumer.js';
import { redeliveryPauseMs } from '../../messaging/broker/redelivery.js';
import type { RabbitConnection } from './rabbit-connection.js';
import type { RabbitRecord } from './rabbit-message.js';

/** One place in the line at a queue. */
interface Place {
  readonly channel: Channel;
  /** Aborts when what was delivered here goes to another. */
  readonly gone: AbortController;
}

export interface ReaderTerms {
  readonly connection: RabbitConnection;
  readonly queue: string;
  readonly holdMs: number;
  /** Told why nothing comes from the queue any more. */
  readonly onLost: (cause: Error) => void;
}

/**
 * Stands in line at one queue; whoever is first there gets its messages, one at a time. It has a channel of its own: to
 * close it is the one way to give back what is in hand before the next in line gets what follows.
 */
export class RabbitQueueReader {
  private place: Place | undefined;
  private inHand: Promise<void> = Promise.resolve();
  private turning: Promise<void> | undefined;
  private turnAgain = false;
  private stopped = false;

  constructor(
    private readonly terms: ReaderTerms,
    private readonly deliver: Deliver<RabbitRecord>,
    private readonly logger: Logger,
  ) {}

  /** Resolves when it stands in line. */
  async open(): Promise<void> {
    const place: Place = {
      gone: new AbortController(),
      channel: await this.terms.connection.openChannel((cause) => {
        if (!place.gone.signal.aborted) this.terms.onLost(cause);
      }),
    };
    this.place = place;
    await place.channel.prefetch(1);
    await place.channel.consume(this.terms.queue, (message) => this.receive(message, place));
  }

  /** Goes to the end of the line, once the message in hand has its verdict; what only waits goes back to the queue. */
  stepBack(): void {
    this.turnAgain = true;
    this.turning ??= this.turn().finally(() => (this.turning = undefined));
  }

  /** Takes no more messages. Resolves when the one in hand has its verdict and the broker knows of it. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.place?.gone.abort();
    await this.inHand;
    // The end of a connection overtakes what its channels have yet to say; that of a channel does not.
    await this.place?.channel.close().catch(() => undefined);
  }

  private async turn(): Promise<void> {
    try {
      while (this.turnAgain && !this.stopped) {
        this.turnAgain = false;
        this.place?.gone.abort();
        await this.inHand;
        await this.place?.channel.close();
        if (!this.isStopped()) await this.open();
      }
    } catch (error) {
      this.terms.onLost(error as Error);
    }
  }

  /** It may have been stopped while something was awaited. */
  private isStopped(): boolean {
    return this.stopped;
  }

  private receive(message: ConsumeMessage | null, place: Place): void {
    if (place.gone.signal.aborted) return;
    if (!message) return this.terms.onLost(new Error(`the queue ${this.terms.queue} is gone`));
    this.inHand = this.inHand.then(() => this.handle(message, place));
  }

  private async handle(message: ConsumeMessage, place: Place): Promise<void> {
    const record = { queue: this.terms.queue, message };
    const giveBack = setTimeout(() => this.stepBack(), this.terms.holdMs);
    try {
      for (let times = 0; !place.gone.signal.aborted; times += 1) {
        const delivery = await this.deliver(record, place.gone.signal, () => acknowledge(message, place));
        if (delivery !== 'postponed') return;
        await pause(redeliveryPauseMs(times), undefined, { signal: place.gone.signal }).catch(() => undefined);
      }
    } catch (error) {
      // Without its acknowledgement it comes again, here or elsewhere.
      this.logger.debug('a message could not be acknowledged', { queue: record.queue, error });
    } finally {
      clearTimeout(giveBack);
    }
  }
}

/** Rejects if the channel has ended. */
async function acknowledge(message: ConsumeMessage, { channel }: Place): Promise<void> {
  await Promise.resolve(channel.ack(message));
}
