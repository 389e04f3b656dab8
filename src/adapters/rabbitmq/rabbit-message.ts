import type { ConsumeMessage, MessagePropertyHeaders } from 'amqplib';
import type { IncomingMessage } from '../../messaging/message-consumer.js';
import type { MessageHeaders } from '../../messaging/message-publisher.js';
import { topicOfQueue } from './rabbit-queues.js';

/** A message as amqplib gives it, and where it lay. */
export interface RabbitRecord {
  readonly queue: string;
  readonly message: ConsumeMessage;
}

/** Carries the key, for which AMQP has no place of its own. */
export const keyHeader = 'x-message-key';

/** Where a quorum queue says how often a message came back to it. */
const returnsHeader = 'x-delivery-count';

/** Headers that make a broker send copies elsewhere, or refuse the message, and what it says itself. */
const brokersHeaders = new Set(['CC', 'BCC', returnsHeader]);

/** A record in the words of the port. Its topic loses prefix and partition, its headers become strings. */
export function incomingMessage({ queue, message }: RabbitRecord, prefix: string): IncomingMessage {
  const { [keyHeader]: key, ...headers } = textHeaders(message.properties.headers ?? {});
  return { topic: topicOfQueue(prefix, queue), key: key ?? null, value: message.content, headers };
}

/** Headers for a message on its way out. */
export function outgoingHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !brokersHeaders.has(name)));
}

/** Foreign programs, and the broker, send numbers, tables and lists as well. */
function textHeaders(headers: MessagePropertyHeaders): MessageHeaders {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => name !== returnsHeader && value !== undefined && value !== null)
      .map(([name, value]) => [name, textOf(value)]),
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('utf8') : JSON.stringify(value);
}
