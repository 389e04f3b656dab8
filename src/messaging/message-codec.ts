import { isId } from '../domain/ids/id.js';
import { codeOf } from '../domain/coded-value.js';
import { taskTypeTable } from '../domain/task/task-type.js';
import type { IncomingMessage } from './message-consumer.js';
import type { MessageHeaders, OutgoingMessage, ReturnedMessage } from './message-publisher.js';
import { sizeProblem } from './message-size.js';
import { groupOf, isTopic, readersOf, type TaskMessage, type Topic } from './topic.js';

/** A message that could be read, or why it could not. */
export type DecodedMessage =
  | { readonly ok: true; readonly message: TaskMessage; readonly headers: MessageHeaders }
  | { readonly ok: false; readonly reason: string };

/** The bytes of a value as every broker carries them: one JSON object of id strings. */
export function encodeValue(value: TaskMessage): string {
  const { documentId, taskId, planId } = value;
  return JSON.stringify({ documentId, taskId, ...(planId ? { planId } : {}) });
}

/** What a broker is given as the value of a message. */
export function bytesOf(message: OutgoingMessage | ReturnedMessage): Buffer {
  return 'bytes' in message ? message.bytes : Buffer.from(encodeValue(message.value));
}

/**
 * Reads whatever a broker delivered, and never throws. Fields and headers that it does not know are left alone, so that
 * a newer sender may add some; what it knows must fit together.
 */
export function decodeTaskMessage(incoming: IncomingMessage): DecodedMessage {
  const { topic, value, headers } = incoming;
  if (!isTopic(topic)) return unreadable('the topic is not known');
  const problem = sizeProblem(incoming, value?.length ?? 0) ?? headerProblem(headers, topic);
  if (problem) return unreadable(problem);
  const message = readValue(value);
  if (typeof message === 'string') return unreadable(message);
  const announced = headers['x-task-id'];
  if (announced !== undefined && announced !== message.taskId) {
    return unreadable('x-task-id and the taskId of the value differ');
  }
  return { ok: true, message, headers };
}

function headerProblem(headers: MessageHeaders, topic: Topic): string | undefined {
  const version = headers['x-schema-version'];
  if (version !== undefined && !/^[1-9]\d{0,5}$/.test(version)) return 'x-schema-version is not a version number';
  const typeName = headers['x-task-type'];
  if (typeName === undefined) return undefined;
  const type = codeOf(taskTypeTable, typeName);
  if (type === undefined) return 'x-task-type is not known';
  // Which topic of a group a type travels on may change between versions that run side by side.
  return groupOf(type) === readersOf(topic) ? undefined : 'x-task-type does not belong on this topic';
}

/** The three ids, or what is wrong with the bytes. */
function readValue(value: Buffer | null): TaskMessage | string {
  if (!value || value.length === 0) return 'the value is empty';
  return taskMessageIn(parse(value));
}

/** The three ids in a parsed value, or what is wrong with it. */
export function taskMessageIn(fields: unknown): TaskMessage | string {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return 'the value is not a JSON object';
  const { documentId, taskId, planId } = fields as Record<string, unknown>;
  if (!isId(documentId)) return 'documentId is not an id string';
  if (!isId(taskId)) return 'taskId is not an id string';
  if (planId === undefined || planId === null) return { documentId, taskId };
  return isId(planId) ? { documentId, taskId, planId } : 'planId is not an id string';
}

/** The JSON in the bytes; undefined for anything else, bad UTF-8 included. */
function parse(value: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value));
  } catch {
    return undefined;
  }
}

function unreadable(reason: string): DecodedMessage {
  return { ok: false, reason };
}
