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

/** What a consumer is known by. */
interface Reader {
  readonly broker: string;
  readonly group: ConsumerGroup;
}

/** Counts and times what the consumers of this process handle, and tells whether each is up. */
export class ConsumeMetrics {
  private readonly handled: Counter<'broker' | 'group' | 'verdict'>;
  private readonly took: Histogram<'group'>;
  private readonly up: Gauge<'broker' | 'group'>;
  private readonly created: { readonly reader: Reader; readonly consumer: MessageConsumer }[] = [];

  constructor(metrics: Metrics) {
    this.handled = metrics.counter({
      name: 'indexwright_messages_consumed_total',
      help: 'Messages handled, by verdict: done, later, dead, or failed where the handler threw.',
      labels: ['broker', 'group', 'verdict'],
    });
    const face = {
      name: 'indexwright_consume_duration_seconds',
      help: 'From the delivery of a message to its verdict.',
      labels: ['group'] as const,
    };
    this.took = metrics.histogram(face, shortWaits);
    const labels = ['broker', 'group'] as const;
    this.up = metrics.gauge(
      { name: 'indexwright_consumer_up', help: '1 while a consumer can be given messages.', labels },
      () => Promise.resolve(this.look()),
    );
  }

  /** The same consumers, counted. @param broker its name, as in `BROKER` */
  metered(broker: string, consumers: MessageConsumers): MessageConsumers {
    return {
      create: (group) => {
        const consumer = new MeteredConsumer(consumers.create(group), (...given) =>
          this.observe({ broker, group }, ...given),
        );
        this.created.push({ reader: { broker, group }, consumer });
        return consumer;
      },
      lag: (deadlineMs) => consumers.lag(deadlineMs),
    };
  }

  private observe({ broker, group }: Reader, verdict: string, tookMs: number): void {
    this.took.observe({ group }, tookMs / 1000);
    this.handled.inc({ broker, group, verdict });
  }

  private look(): void {
    for (const { reader, consumer } of this.created) this.up.set({ ...reader }, Number(consumer.health().up));
  }
}

class MeteredConsumer implements MessageConsumer {
  constructor(
    private readonly consumer: MessageConsumer,
    private readonly observe: (verdict: Verdict['type'] | 'failed', tookMs: number) => void,
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
    const startedAt = performance.now();
    let verdict: Verdict['type'] | 'failed' = 'failed';
    try {
      const given = await handler(message);
      verdict = given.type;
      return given;
    } finally {
      this.observe(verdict, performance.now() - startedAt);
    }
  }
}
