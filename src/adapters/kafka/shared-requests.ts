import type { Message } from 'kafkajs';
import { isRefusal } from './kafka-errors.js';

/** Messages for one topic, by its full name. */
export interface TopicBatch {
  readonly topic: string;
  readonly messages: Message[];
}

type Request = (batches: TopicBatch[]) => Promise<unknown>;

interface Waiting {
  readonly batches: readonly TopicBatch[];
  readonly expired: AbortSignal;
  readonly settle: (outcome: Promise<unknown>) => void;
}

/**
 * Sends each call's messages at once while few requests are under way; what comes beyond that waits for the next one to
 * end and then goes out together. Every call still ends with the acknowledgement, or the failure, of the request that
 * carried its messages.
 */
export class SharedRequests {
  private underWay = 0;
  private waiting: Waiting[] = [];

  constructor(
    private readonly request: Request,
    /** Requests under way at once. */
    private readonly width: number,
  ) {}

  /** @param expired messages that wait when it fires are not sent any more; who gave up on them need not be told. */
  send(batches: readonly TopicBatch[], expired: AbortSignal): Promise<unknown> {
    if (this.underWay < this.width) return this.run([...batches]);
    return new Promise((resolve) => this.waiting.push({ batches, expired, settle: resolve }));
  }

  private async run(batches: TopicBatch[]): Promise<unknown> {
    this.underWay += 1;
    try {
      return await this.request(batches);
    } finally {
      this.underWay -= 1;
      this.sendWaiting();
    }
  }

  private sendWaiting(): void {
    const together = this.waiting.filter(({ expired }) => !expired.aborted);
    this.waiting = [];
    if (together.length === 0) return;
    const shared = this.run(merged(together));
    for (const { batches, settle } of together) settle(shared.catch((error: unknown) => this.alone(batches, error)));
  }

  /** Of messages that share a request one may be at fault, or all of them too much for one: each call gets its own answer. */
  private alone(batches: readonly TopicBatch[], error: unknown): Promise<unknown> {
    if (!isRefusal(error)) throw error;
    return this.run([...batches]);
  }
}

/** One batch for each topic, in the order of the calls. */
function merged(calls: readonly Waiting[]): TopicBatch[] {
  const byTopic = new Map<string, TopicBatch>();
  for (const { topic, messages } of calls.flatMap(({ batches }) => batches)) {
    const batch = byTopic.get(topic) ?? { topic, messages: [] };
    batch.messages.push(...messages);
    byTopic.set(topic, batch);
  }
  return [...byTopic.values()];
}
