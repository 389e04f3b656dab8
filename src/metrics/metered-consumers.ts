import type { Counter, Gauge, Histogram } from 'prom-client';
import type {
  IncomingMessage,
  MessageConsumer,
  MessageConsumers,
  MessageHandler,
  Verdict,
} from '../messaging/message-consumer.js';
import type { PartHealth } from '../messaging/message-publisher.js';
import type { ConsumerGroup } from '../messaging/topic.js';
import { shortWaits, type Metrics } from './metrics.js';

interface Instruments {
  readonly handled: Counter<'group' | 'verdict'>;
  readonly took: Histogram<'group'>;
}

/** Counts and times what the consumers of this process handle, and tells whether each is up. */
export class MeteredConsumers implements MessageConsumers {
  private readonly instruments: Instruments;
  private readonly up: Gauge<'group'>;
  private readonly created = new Map<ConsumerGroup, MessageConsumer>();

  constructor(
    private readonly consumers: MessageConsumers,
    metrics: Metrics,
  ) {
    const handled = metrics.counter({
      name: 'indexwright_messages_consumed_total',
      help: 'Messages handled, by verdict: done, later, dead, or failed where the handler threw.',
      labels: ['group', 'verdict'],
    });
    const face = {
      name: 'indexwright_consume_duration_seconds',
      help: 'From the delivery of a message to its verdict.',
      labels: ['group'] as const,
    };
    this.instruments = { handled, took: metrics.histogram(face, shortWaits) };
    this.up = metrics.gauge(
      { name: 'indexwright_consumer_up', help: '1 while a consumer can be given messages.', labels: ['group'] },
      () => Promise.resolve(this.look()),
    );
  }

  create(group: ConsumerGroup): MessageConsumer {
    const consumer = new MeteredConsumer(this.consumers.create(group), group, this.instruments);
    this.created.set(group, consumer);
    return consumer;
  }

  lag(deadlineMs: number): ReturnType<MessageConsumers['lag']> {
    return this.consumers.lag(deadlineMs);
  }

  private look(): void {
    for (const [group, consumer] of this.created) this.up.set({ group }, Number(consumer.health().up));
  }
}

class MeteredConsumer implements MessageConsumer {
  constructor(
    private readonly consumer: MessageConsumer,
    private readonly group: ConsumerGroup,
    private readonly instruments: Instruments,
  ) {}

  start(handler: MessageHandler): Promise<void> {
    return this.consumer.start((message) => this.handle(message, handler));
  }

  pause(): void {
    this.consumer.pause();
  }

  resume(): void {
    this.consumer.resume();
  }

  health(): PartHealth {
    return this.consumer.health();
  }

  stop(): Promise<void> {
    return this.consumer.stop();
  }

  private async handle(message: IncomingMessage, handler: MessageHandler): Promise<Verdict> {
    const { group } = this;
    const startedAt = performance.now();
    let verdict: Verdict['type'] | 'failed' = 'failed';
    try {
      const given = await handler(message);
      verdict = given.type;
      return given;
    } finally {
      this.instruments.took.observe({ group }, (performance.now() - startedAt) / 1000);
      this.instruments.handled.inc({ group, verdict });
    }
  }
}
