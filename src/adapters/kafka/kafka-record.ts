import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { IncomingMessage } from '../../messaging/message-consumer.js';
import type { MessageHeaders } from '../../messaging/message-publisher.js';

/** A message as kafkajs gives it, and where it lies. */
export interface KafkaRecord {
  /** Full name. */
  readonly topic: string;
  readonly partition: number;
  readonly message: KafkaMessage;
}

/** A record in the words of the port. Its topic loses the environment's prefix, its headers become strings. */
export function incomingMessage({ topic, message }: KafkaRecord, prefix: string): IncomingMessage {
  const start = `${prefix}-`;
  return {
    topic: topic.startsWith(start) ? topic.slice(start.length) : topic,
    key: message.key?.toString('utf8') ?? null,
    value: message.value,
    headers: textHeaders(message.headers),
  };
}

/** Kafka headers are bytes and may repeat: the last one of a name counts. */
function textHeaders(headers: IHeaders | undefined): MessageHeaders {
  return Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) => {
      const last = Array.isArray(value) ? value.at(-1) : value;
      return last === undefined ? [] : [[name, last.toString('utf8')]];
    }),
  );
}
