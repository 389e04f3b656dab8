import { createHash } from 'node:crypto';
import type { DeadMessage, DeadTask } from '../database/repositories/dead-letter-repository.js';
import { defaultTenant, isId } from '../domain/ids/id.js';
import type { IncomingMessage } from './message-consumer.js';
import type { MessageHeaders, OutgoingMessage } from './message-publisher.js';
import { bytesOfHeader, maxHeaderBytes, maxKeyBytes } from './message-size.js';
import { taskMessage } from './task-message.js';
import { isText } from './text-bytes.js';
import { deadLettersOf, groupOf } from './topic.js';

/** Where a message that was moved aside had been; of a task, only where its messages go. */
export interface DeadLetterOrigin {
  readonly topic: string;
  /** Kafka only. */
  readonly partition?: number;
  /** Kafka: the offset. Postgres: the id of the job. Redis: the id of the entry. */
  readonly offset?: string;
}

const longestReason = 1_000;
/** What a letter keeps of a value, in bytes: twice what a readable one may have. */
export const keptValueBytes = 8_192;
/** What a letter keeps of a topic or of a key, in bytes: of a key that is too long, too much to pass for another. */
const keptNameBytes = maxKeyBytes + 1;

/** What a dead letter carries beside its original headers. */
export function deadLetterHeaders(reason: string, origin: DeadLetterOrigin): MessageHeaders {
  return {
    'x-dead-reason': reason.slice(0, longestReason),
    'x-dead-at': new Date().toISOString(),
    'x-dead-topic': origin.topic,
    ...(origin.partition === undefined ? {} : { 'x-dead-partition': String(origin.partition) }),
    ...(origin.offset === undefined ? {} : { 'x-dead-offset': origin.offset }),
  };
}

/**
 * Tells whoever reads the dead-letter topic of a task out of tries: its message as it was, and why it ended. The letter in
 * the database is what is replayed.
 */
export function deadTaskMessage({ letterId, code, reason, ...task }: DeadTask): OutgoingMessage {
  const { topic, headers, ...message } = taskMessage(task);
  return {
    ...message,
    topic: deadLettersOf(groupOf(task.taskType)),
    headers: {
      ...headers,
      ...deadLetterHeaders(reason, { topic }),
      'x-dead-code': code,
      'x-dead-attempt': String(task.attempt),
      'x-dead-letter-id': letterId,
    },
  };
}

/** What the database keeps of a message that cannot be read, whatever is in it. */
export function deadMessage({ topic, key, value, headers }: IncomingMessage, reason: string): DeadMessage {
  const tenant = headers['x-tenant-id'];
  const first = value && value.subarray(0, keptValueBytes);
  const parts = {
    topic: kept(topic),
    key: key === null ? null : kept(key),
    headers: keptOf(headers),
  };
  return {
    tenantId: isId(tenant) ? tenant : defaultTenant,
    subject: `message ${fingerprint(JSON.stringify([parts, value === null]), value)}`,
    ...parts,
    value: first && textIn(first),
    rawValue: first && !isText(first) ? first : null,
    valueBytes: value?.length ?? 0,
    reason: reason.slice(0, longestReason),
  };
}

function fingerprint(frame: string, value: Buffer | null): string {
  return createHash('sha256')
    .update(frame)
    .update(value ?? '')
    .digest('hex');
}

/** Headers as they were; of those that are too long, what shows that they are. */
function keptOf(headers: MessageHeaders): MessageHeaders {
  const first: [string, string][] = [];
  let size = 0;
  for (const [name, text] of Object.entries(headers)) {
    if (size > maxHeaderBytes) break;
    const header: [string, string] = [kept(name, maxHeaderBytes + 1), kept(text, maxHeaderBytes + 1)];
    size += bytesOfHeader(header);
    first.push(header);
  }
  return Object.fromEntries(first);
}

function kept(text: string, bytes = keptNameBytes): string {
  return textIn(Buffer.from(text.slice(0, bytes)).subarray(0, bytes));
}

/** Bytes as the database can hold them: what is no text, and NUL, become replacement characters. */
function textIn(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd');
}
