import { setTimeout as pause } from 'node:timers/promises';
import { Partitioners, type Message, type Producer } from 'kafkajs';
import { systemClock } from '../../domain/clock.js';
import type { Logger } from '../../logging/logger.js';
import { brokerUnavailable, settlesWithin, withDeadline } from '../../messaging/deadline.js';
import { MessageRefused } from '../../messaging/message-publisher.js';
import { KafkaClient } from './kafka-client.js';
import { describeKafkaError, isAnswer, isMissingTopic, isRefusal } from './kafka-errors.js';
import type { KafkaOptions } from './kafka-options.js';

/** Messages for one topic, by its full name. */
export interface TopicBatch {
  readonly topic: string;
  readonly messages: Message[];
}

const firstPauseMs = 50;
/** A topic that was only just created may be unknown for a moment. */
const looksForTopic = 3;

/**
 * Sends to Kafka with a deadline. It retries by itself, so that nothing is sent any more once the deadline has passed,
 * and replaces a connection that stopped answering.
 *
 * The producer is not idempotent on purpose. After a send that timed out, kafkajs gives its sequence numbers to the next
 * message; a broker that had stored the first then takes the second for a repetition and acknowledges it without storing
 * it. A message twice is harmless here, a message lost is not.
 */
export class KafkaSender {
  private link: Link | undefined;
  private readonly retiring = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly options: KafkaOptions,
    private readonly logger: Logger,
  ) {}

  /** Resolves when every in-sync replica has every message. @throws AppError BROKER_UNAVAILABLE. @throws MessageRefused. */
  async send(batches: readonly TopicBatch[], deadlineMs: number): Promise<void> {
    if (this.stopped) throw brokerUnavailable('The connection to the message broker is closed.');
    const startedAt = performance.now();
    const dated = this.dated(batches);
    await withDeadline(deadlineMs, async (expired) => {
      // The one in use has then been silent for the whole deadline.
      expired.addEventListener('abort', () => this.replace(this.link, startedAt), { once: true });
      await this.attempt(dated, expired);
    });
  }

  /** Waits for sends in flight, bounded. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.replace(this.link, Infinity);
    await Promise.all(this.retiring);
  }

  private dated(batches: readonly TopicBatch[]): TopicBatch[] {
    const timestamp = String((this.options.clock ?? systemClock).now());
    return batches.map(({ topic, messages }) => ({
      topic,
      messages: messages.map((each) => ({ ...each, timestamp })),
    }));
  }

  private async attempt(batches: readonly TopicBatch[], expired: AbortSignal): Promise<void> {
    for (let tries = 1, pauseMs = firstPauseMs; ; tries += 1, pauseMs *= 2) {
      const link = (this.link ??= new Link(this.options, this.logger));
      try {
        return await link.send(batches);
      } catch (error) {
        this.judge(error, link, tries);
        this.logger.debug('send to kafka failed', { tries, error });
      }
      await pause(pauseMs, undefined, { signal: expired });
      if (this.stopped) throw brokerUnavailable('The connection to the message broker is closed.');
    }
  }

  /** Throws what trying again cannot change; makes room for a new connection where the old one is no good. */
  private judge(error: unknown, link: Link, tries: number): void {
    if (isRefusal(error)) throw new MessageRefused(describeKafkaError(error), { cause: error });
    if (isMissingTopic(error) && tries >= looksForTopic) {
      throw brokerUnavailable('A topic is missing on the broker; create the topics with `npm run topics`.', error);
    }
    if (!isAnswer(error)) this.replace(link, Infinity);
  }

  /** Retires the link if it is still the one in use and was there before `olderThan`; the next send opens another. */
  private replace(link: Link | undefined, olderThan: number): void {
    if (!link || link !== this.link || link.openedAt > olderThan) return;
    this.link = undefined;
    const retired = link.retire(this.options.sendDeadlineMs).finally(() => this.retiring.delete(retired));
    this.retiring.add(retired);
  }
}

/** One producer with its connections. */
class Link {
  readonly openedAt = performance.now();
  private readonly client: KafkaClient;
  private readonly producer: Producer;
  private readonly ready: Promise<void>;
  private readonly inFlight = new Set<Promise<unknown>>();

  constructor(
    private readonly options: KafkaOptions,
    logger: Logger,
  ) {
    // A connection that does not answer does not get better by asking again over it.
    this.client = new KafkaClient({ brokers: options.brokers, requestMs: options.sendDeadlineMs, retries: 0 }, logger);
    this.producer = this.client.kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      idempotent: false,
      retry: { retries: 0 },
    });
    this.ready = this.producer.connect();
    this.ready.catch(() => undefined); // every send awaits it and reports it
  }

  async send(batches: readonly TopicBatch[]): Promise<void> {
    await this.ready;
    const sending = this.producer.sendBatch({
      acks: -1,
      timeout: this.options.sendDeadlineMs,
      topicMessages: [...batches],
    });
    this.inFlight.add(sending);
    try {
      await sending;
    } finally {
      this.inFlight.delete(sending);
    }
  }

  /** Lets what is in flight end, at most `ms`, then closes. */
  async retire(ms: number): Promise<void> {
    await settlesWithin(ms, Promise.allSettled([this.ready, ...this.inFlight]));
    await settlesWithin(ms, this.producer.disconnect());
    this.client.cut();
  }
}
