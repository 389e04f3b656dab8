import { CompressionTypes, Partitioners, type Producer } from 'kafkajs';
import { systemClock } from '../../domain/clock.js';
import type { Logger } from '../../logging/logger.js';
import { RetryingSender, type SendLink } from '../../messaging/broker/retrying-sender.js';
import type { MessageSender } from '../../messaging/broker/watched-publisher.js';
import { brokerUnavailable, settlesWithin } from '../../messaging/deadline.js';
import { bytesOf } from '../../messaging/message-codec.js';
import { MessageRefused, type OutgoingMessage, type ReturnedMessage } from '../../messaging/message-publisher.js';
import { brokerName } from '../../messaging/topic.js';
import { KafkaClient } from './kafka-client.js';
import { describeKafkaError, isAnswer, isMissingTopic, isRefusal } from './kafka-errors.js';
import type { KafkaOptions } from './kafka-options.js';
import { SharedRequests, type TopicBatch } from './shared-requests.js';

/** A topic that was only just created may be unknown for a moment. */
const looksForTopic = 3;
/** Of one producer. More would cost the broker and this process more than they save. */
const requestsAtOnce = 2;

/**
 * Sends to Kafka with a deadline.
 *
 * The producer is not idempotent on purpose. After a send that timed out, kafkajs gives its sequence numbers to the next
 * message; a broker that had stored the first then takes the second for a repetition and acknowledges it without storing
 * it. A message twice is harmless here, a message lost is not.
 */
export class KafkaSender implements MessageSender {
  private readonly sender: RetryingSender<readonly TopicBatch[]>;

  constructor(
    private readonly options: KafkaOptions,
    logger: Logger,
  ) {
    this.sender = new RetryingSender(() => new KafkaLink(options, logger), judge, options.sendDeadlineMs, logger);
  }

  send(messages: readonly (OutgoingMessage | ReturnedMessage)[], deadlineMs: number): Promise<void> {
    return this.sendBatches(this.byTopic(messages), deadlineMs);
  }

  /** Resolves when every in-sync replica has every message. @throws AppError BROKER_UNAVAILABLE. @throws MessageRefused. */
  sendBatches(batches: readonly TopicBatch[], deadlineMs: number): Promise<void> {
    return this.sender.send(this.dated(batches), deadlineMs);
  }

  stop(): Promise<void> {
    return this.sender.stop();
  }

  private byTopic(messages: readonly (OutgoingMessage | ReturnedMessage)[]): TopicBatch[] {
    const batches = new Map<string, TopicBatch>();
    for (const message of messages) {
      const { topic, key, headers } = message;
      const name = brokerName(this.options.prefix, topic);
      const batch = batches.get(name) ?? { topic: name, messages: [] };
      batch.messages.push({ key, value: bytesOf(message), headers: { ...headers } });
      batches.set(name, batch);
    }
    return [...batches.values()];
  }

  private dated(batches: readonly TopicBatch[]): TopicBatch[] {
    const timestamp = String((this.options.clock ?? systemClock).now());
    return batches.map(({ topic, messages }) => ({
      topic,
      messages: messages.map((each) => ({ ...each, timestamp })),
    }));
  }
}

function judge(error: unknown, tries: number): 'again' | 'new link' {
  if (isRefusal(error)) throw new MessageRefused(describeKafkaError(error), { cause: error });
  if (isMissingTopic(error) && tries >= looksForTopic) {
    throw brokerUnavailable('A topic is missing on the broker; create the topics with `npm run topics`.', error);
  }
  return isAnswer(error) ? 'again' : 'new link';
}

/** One producer with its connections. */
class KafkaLink implements SendLink<readonly TopicBatch[]> {
  readonly openedAt = performance.now();
  private readonly client: KafkaClient;
  private readonly producer: Producer;
  private readonly ready: Promise<void>;
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly requests = new SharedRequests((batches) => this.request(batches), requestsAtOnce);

  constructor(
    private readonly options: KafkaOptions,
    logger: Logger,
  ) {
    // A connection that does not answer does not get better by asking again over it.
    this.client = new KafkaClient({ ...options, requestMs: options.sendDeadlineMs, retries: 0 }, logger);
    this.producer = this.client.kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      idempotent: false,
      retry: { retries: 0 },
    });
    this.ready = this.producer.connect();
    this.ready.catch(() => undefined); // every send awaits it and reports it
  }

  async send(batches: readonly TopicBatch[], expired: AbortSignal): Promise<void> {
    await this.ready;
    const sending = this.requests.send(batches, expired);
    this.inFlight.add(sending);
    try {
      await sending;
    } finally {
      this.inFlight.delete(sending);
    }
  }

  private request(topicMessages: TopicBatch[]): Promise<unknown> {
    const { sendDeadlineMs: timeout, compress } = this.options;
    const compression = compress ? CompressionTypes.GZIP : CompressionTypes.None;
    return this.producer.sendBatch({ acks: -1, timeout, compression, topicMessages });
  }

  async retire(ms: number): Promise<void> {
    await settlesWithin(ms, Promise.allSettled([this.ready, ...this.inFlight]));
    await settlesWithin(ms, this.producer.disconnect());
    this.client.cut();
  }
}
