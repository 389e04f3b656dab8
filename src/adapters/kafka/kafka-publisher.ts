import { AppError } from '../../domain/errors.js';
import { StartRefusal } from '../../domain/start-refusal.js';
import type { Logger } from '../../logging/logger.js';
import { brokerUnavailable } from '../../messaging/deadline.js';
import { textOf } from '../../messaging/message-codec.js';
import type {
  MessagePublisher,
  OutgoingMessage,
  PartHealth,
  ReturnedMessage,
  SendContext,
} from '../../messaging/message-publisher.js';
import { brokerName } from '../../messaging/topic.js';
import type { KafkaOptions } from './kafka-options.js';
import { KafkaSender, type TopicBatch } from './kafka-sender.js';
import { describeMissing, topicNames } from './kafka-topics.js';
import { KafkaWatch } from './kafka-watch.js';

/** How long a failed send speaks against the broker when no later one has succeeded, in ms. */
const failureMemoryMs = 15_000;

/** Publishes to Kafka; a send is acknowledged by every in-sync replica. */
export class KafkaPublisher implements MessagePublisher {
  private readonly sender: KafkaSender;
  private readonly watch: KafkaWatch;
  private lastSuccessAt: number | undefined;
  private lastFailure: { readonly at: number; readonly detail: string } | undefined;

  constructor(
    private readonly options: KafkaOptions,
    logger: Logger,
  ) {
    const own = logger.child({ part: 'kafka-publisher' });
    this.sender = new KafkaSender(options, own);
    this.watch = new KafkaWatch(options, topicNames(options.prefix), own);
  }

  async start(): Promise<void> {
    await this.watch.start();
    const { missing } = this.watch.state;
    if (missing.length === 0) return;
    await this.stop();
    throw new StartRefusal(describeMissing(missing));
  }

  async publish(messages: readonly (OutgoingMessage | ReturnedMessage)[], { deadlineMs }: SendContext): Promise<void> {
    if (messages.length === 0) return;
    // Nobody need wait for a broker that is known to be away: the watch notices when it is back.
    if (this.watch.state.reachable === false) {
      throw brokerUnavailable('The message broker does not answer.', this.watch.state.detail);
    }
    try {
      await this.sender.send(this.byTopic(messages), deadlineMs);
      this.lastSuccessAt = performance.now();
      this.lastFailure = undefined;
    } catch (error) {
      if (error instanceof AppError) this.noteFailure(error);
      throw error;
    }
  }

  health(): PartHealth {
    const { reachable, detail = this.recentFailure() } = this.watch.state;
    return {
      up: reachable === true && detail === undefined,
      ...(detail === undefined ? {} : { detail }),
      ...(this.lastSuccessAt === undefined ? {} : { lastProgressAgeMs: performance.now() - this.lastSuccessAt }),
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.watch.stop(), this.sender.stop()]);
  }

  private noteFailure({ message: detail }: AppError): void {
    this.lastFailure = { at: performance.now(), detail };
    this.watch.lookNow();
  }

  /** Forgotten after a while: an instance that is taken out of rotation for it has no send to prove the contrary. */
  private recentFailure(): string | undefined {
    const { lastFailure } = this;
    return lastFailure && performance.now() - lastFailure.at < failureMemoryMs ? lastFailure.detail : undefined;
  }

  private byTopic(messages: readonly (OutgoingMessage | ReturnedMessage)[]): TopicBatch[] {
    const batches = new Map<string, TopicBatch>();
    for (const message of messages) {
      const { topic, key, headers } = message;
      const name = brokerName(this.options.prefix, topic);
      const batch = batches.get(name) ?? { topic: name, messages: [] };
      batch.messages.push({ key, value: textOf(message), headers: { ...headers } });
      batches.set(name, batch);
    }
    return [...batches.values()];
  }
}
