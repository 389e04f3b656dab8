import type { Counter, Histogram } from 'prom-client';
import { AppError } from '../domain/errors.js';
import { MessageRefused, type MessagePublisher, type PartHealth } from '../messaging/message-publisher.js';
import { shortWaits, type Metrics } from './metrics.js';

type Sending = Parameters<MessagePublisher['publish']>;

/** Counts and times what goes through a publisher. */
export class MeteredPublisher implements MessagePublisher {
  private readonly sent: Counter<'topic' | 'outcome'>;
  private readonly took: Histogram<'outcome'>;

  constructor(
    private readonly publisher: MessagePublisher,
    metrics: Metrics,
  ) {
    this.sent = metrics.counter({
      name: 'indexwright_messages_published_total',
      help: 'Messages handed to the broker, by how the send ended: stored, unavailable, refused or failed.',
      labels: ['topic', 'outcome'],
    });
    const face = {
      name: 'indexwright_publish_duration_seconds',
      help: 'From a send to the acknowledgement of the broker, or to giving up.',
      labels: ['outcome'] as const,
    };
    this.took = metrics.histogram(face, shortWaits);
  }

  start(): Promise<void> {
    return this.publisher.start();
  }

  async publish(...[messages, context]: Sending): Promise<void> {
    if (messages.length === 0) return;
    const startedAt = performance.now();
    let outcome = 'stored';
    try {
      await this.publisher.publish(messages, context);
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.took.observe({ outcome }, (performance.now() - startedAt) / 1000);
      for (const { topic } of messages) this.sent.inc({ topic, outcome });
    }
  }

  health(): PartHealth {
    return this.publisher.health();
  }

  stop(): Promise<void> {
    return this.publisher.stop();
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof MessageRefused) return 'refused';
  return error instanceof AppError && error.code === 'BROKER_UNAVAILABLE' ? 'unavailable' : 'failed';
}
