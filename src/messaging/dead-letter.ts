import type { MessageHeaders } from './message-publisher.js';

/** Where a message that was moved aside had been. */
export interface DeadLetterOrigin {
  readonly topic: string;
  /** Kafka only. */
  readonly partition?: number;
  /** Kafka: the offset. Postgres: the id of the job. */
  readonly offset: string;
}

const longestReason = 1_000;

/** What a dead letter carries beside its original headers. */
export function deadLetterHeaders(reason: string, origin: DeadLetterOrigin): MessageHeaders {
  return {
    'x-dead-reason': reason.slice(0, longestReason),
    'x-dead-at': new Date().toISOString(),
    'x-dead-topic': origin.topic,
    ...(origin.partition === undefined ? {} : { 'x-dead-partition': String(origin.partition) }),
    'x-dead-offset': origin.offset,
  };
}
