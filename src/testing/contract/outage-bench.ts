import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageConsumer, MessageHandler } from '../../messaging/message-consumer.js';
import type { MessagePublisher, OutgoingMessage } from '../../messaging/message-publisher.js';
import { ConsumerGroup, type Topic } from '../../messaging/topic.js';
import type { MessagingBroker, StoredMessage } from './messaging-broker.js';

/** A broker that belongs to the suite, to be paused and killed. */
export interface StruckServer {
  start(): Promise<void>;
  hang(): void;
  wake(): void;
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export interface StruckBroker extends MessagingBroker {
  createPublisher(sendDeadlineMs: number): MessagePublisher;
  /** Whatever lies on a topic and nobody has in hand. */
  readAll(topic: Topic): Promise<StoredMessage[]>;
}

export interface OutageContract<S extends StruckServer> {
  /** Not yet started, or running. */
  create(): Promise<S>;
  /** An environment in which nothing was ever sent. */
  open(server: S): Promise<StruckBroker>;
  /** How long a broker, or the other members, keep the share of a silent consumer, in ms. */
  readonly memberMs: number;
}

/** Deadline of every send, in ms. */
export const sendMs = 1_000;

/** What became of a send, and when. */
export interface Attempt {
  readonly stored: boolean;
  readonly error?: unknown;
  readonly ms: number;
}

/** A server of the suite's own that runs at the start of each test, with a publisher that is not started yet. */
export class OutageBench<S extends StruckServer> {
  private running: S | undefined;
  private open: StruckBroker | undefined;
  private sending: MessagePublisher | undefined;
  private consumers: MessageConsumer[] = [];

  constructor(readonly contract: OutageContract<S>) {
    beforeAll(async () => {
      this.running = await contract.create();
    });
    afterAll(() => this.running?.remove());
    beforeEach(async () => {
      await this.server.start();
      this.consumers = [];
      this.open = await contract.open(this.server);
      this.sending = this.open.createPublisher(sendMs);
    });
    afterEach(async () => {
      this.server.wake();
      await this.server.start();
      await Promise.all([this.publisher.stop(), ...this.consumers.map((consumer) => consumer.stop())]);
      await this.broker.close();
    });
  }

  get server(): S {
    return there(this.running);
  }

  get broker(): StruckBroker {
    return there(this.open);
  }

  get publisher(): MessagePublisher {
    return there(this.sending);
  }

  async consume(handler: MessageHandler): Promise<MessageConsumer> {
    const consumer = this.broker.consumers.create(ConsumerGroup.Index);
    this.consumers.push(consumer);
    await consumer.start(handler);
    return consumer;
  }

  publish(message: OutgoingMessage): Promise<void> {
    return this.publisher.publish([message], { deadlineMs: sendMs });
  }

  async attempt(message: OutgoingMessage): Promise<Attempt> {
    const startedAt = performance.now();
    try {
      await this.publish(message);
      return { stored: true, ms: performance.now() - startedAt };
    } catch (error) {
      return { stored: false, error, ms: performance.now() - startedAt };
    }
  }

  /** Publishes until it succeeds. */
  async publishUntilStored(message: OutgoingMessage): Promise<void> {
    while (!(await this.attempt(message)).stored) await pause(50);
  }
}

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('no test is running');
  return part;
}
