import type { IncomingMessage } from '../../../messaging/message-consumer.js';
import type { MessageHeaders } from '../../../messaging/message-publisher.js';
import { topicOfStream } from './stream-names.js';

/** An entry of a stream: field, value, field, value, … */
export interface StreamRecord {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly Buffer[];
  /** How often it may have been in hand before without a verdict. */
  readonly timesInHand: number;
  /** Called when it comes in hand: counts that for whoever reads the stream next. */
  readonly noteInHand: () => Promise<void>;
}

const keyField = 'key';
const valueField = 'value';
/** Stands in front of headers that would be taken for something else without it. */
const headerMark = 'header:';

/** The fields of an entry. Headers are fields of their own name. */
export function fieldsOf(
  key: string | null,
  value: Buffer | string | null,
  headers: MessageHeaders,
): (Buffer | string)[] {
  return [
    ...(key === null ? [] : [keyField, key]),
    ...(value === null ? [] : [valueField, value]),
    ...headerFields(headers),
  ];
}

export function headerFields(headers: MessageHeaders): string[] {
  return Object.entries(headers).flatMap(([name, text]) => [headerField(name), text]);
}

/** A record in the words of the port. Of a field that repeats the last one counts. */
export function incomingMessage(
  { stream, fields }: Pick<StreamRecord, 'stream' | 'fields'>,
  prefix: string,
): IncomingMessage {
  let key: string | null = null;
  let value: Buffer | null = null;
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name, content] = [String(fields[at]), fields[at + 1] as Buffer];
    if (name === keyField) key = content.toString('utf8');
    else if (name === valueField) value = content;
    else headers.set(name.startsWith(headerMark) ? name.slice(headerMark.length) : name, content.toString('utf8'));
  }
  return { topic: topicOfStream(prefix, stream), key, value, headers: Object.fromEntries(headers) };
}

function headerField(name: string): string {
  const isTaken = name === keyField || name === valueField || name.startsWith(headerMark);
  return isTaken ? `${headerMark}${name}` : name;
}
