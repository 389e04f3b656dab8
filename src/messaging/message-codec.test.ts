import { describe, expect, it } from '@jest/globals';
import { TaskPriority } from '../domain/task/task-priority.js';
import { TaskType } from '../domain/task/task-type.js';
import { decodeTaskMessage, encodeValue } from './message-codec.js';
import type { IncomingMessage } from './message-consumer.js';
import { maxHeaderBytes, maxKeyBytes, maxValueBytes } from './message-size.js';
import { taskMessage } from './task-message.js';
import { Topic } from './topic.js';

const task = {
  id: '9007199254740993',
  tenantId: '0',
  documentId: '12',
  planId: '13',
  taskType: TaskType.BuildIndex,
  priority: TaskPriority.Interactive,
  trace: null,
};

function incoming(change: Partial<IncomingMessage> = {}): IncomingMessage {
  const message = taskMessage(task);
  return {
    topic: message.topic,
    key: message.key,
    value: Buffer.from(encodeValue(message.value)),
    headers: message.headers,
    ...change,
  };
}

function reasonFor(value: string | Buffer | null): string {
  const decoded = decodeTaskMessage(incoming({ value: typeof value === 'string' ? Buffer.from(value) : value }));
  return decoded.ok ? 'read' : decoded.reason;
}

describe('a task message', () => {
  it('arrives as it was sent, its ids intact beyond 2^53', () => {
    expect(decodeTaskMessage(incoming())).toMatchObject({
      ok: true,
      message: { documentId: '12', taskId: '9007199254740993', planId: '13' },
    });
  });

  it('has only strings in its headers, and the ids alone in its value', () => {
    const { headers, value } = taskMessage({ ...task, retryCount: 2 });
    expect(headers).toMatchObject({
      'x-task-type': 'BUILD_INDEX',
      'x-task-id': task.id,
      'x-tenant-id': '0',
      'x-priority': 'interactive',
      'x-retry-count': '2',
      'x-schema-version': '1',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    });
    expect(JSON.parse(encodeValue(value))).toEqual({ documentId: '12', taskId: task.id, planId: '13' });
  });

  it('leaves the plan out for a task that follows none', () => {
    const { value } = taskMessage({ ...task, planId: null, taskType: TaskType.ParseDocument });
    expect(encodeValue(value)).toBe(`{"documentId":"12","taskId":"${task.id}"}`);
  });

  it.each([
    [TaskType.ParseDocument, Topic.ParseInBulk],
    [TaskType.RebuildIndex, Topic.RebuildIndex],
    [TaskType.DeleteIndex, Topic.DeleteInBulk],
  ])('travels on the bulk topic of its kind when it is one of many (type %s)', (taskType, topic) => {
    const message = taskMessage({ ...task, taskType, priority: TaskPriority.Bulk });
    expect(message.topic).toBe(topic);
    expect(message.headers['x-priority']).toBe('bulk');
  });
});

describe('reading a message', () => {
  it.each([
    ['nothing', null, 'the value is empty'],
    ['no bytes', Buffer.alloc(0), 'the value is empty'],
    ['text', 'build it', 'the value is not a JSON object'],
    ['an array', '["1"]', 'the value is not a JSON object'],
    ['null', 'null', 'the value is not a JSON object'],
    ['broken UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'the value is not a JSON object'],
    ['deep JSON', '['.repeat(maxValueBytes), 'the value is not a JSON object'],
    ['a megabyte', 'x'.repeat(1_048_576), `the value is longer than ${maxValueBytes} bytes`],
    ['ids as numbers', '{"documentId":1,"taskId":2}', 'documentId is not an id string'],
    ['an id out of range', '{"documentId":"1","taskId":"9223372036854775808"}', 'taskId is not an id string'],
    ['a plan that is no id', '{"documentId":"1","taskId":"2","planId":"x"}', 'planId is not an id string'],
  ])('gives the reason for %s', (_, value, reason) => {
    expect(reasonFor(value)).toBe(reason);
  });

  it('takes fields and headers that it does not know', () => {
    const message = incoming({
      value: Buffer.from(
        `{"taskId":"${task.id}","documentId":"12","planId":null,"hint":{"a":[1]},"__proto__":{"x":1}}`,
      ),
      headers: { 'x-schema-version': '7', 'x-new': 'yes' },
    });
    expect(decodeTaskMessage(message)).toMatchObject({ ok: true, message: { documentId: '12', taskId: task.id } });
  });

  it('takes a message without headers, as a person at a console would send it', () => {
    expect(decodeTaskMessage(incoming({ headers: {} })).ok).toBe(true);
  });

  it.each([
    [{ 'x-task-id': '77' }, 'x-task-id and the taskId of the value differ'],
    [{ 'x-task-type': 'MAKE_TEA' }, 'x-task-type is not known'],
    [{ 'x-task-type': 'PARSE_DOCUMENT' }, 'x-task-type does not belong on this topic'],
    [{ 'x-schema-version': 'one' }, 'x-schema-version is not a version number'],
  ])('refuses %j', (headers, reason) => {
    expect(decodeTaskMessage(incoming({ headers: headers }))).toEqual({ ok: false, reason });
  });

  it.each([
    [
      'headers',
      { headers: { 'x-long': 'é'.repeat(maxHeaderBytes / 2) } },
      `the headers are longer than ${maxHeaderBytes} bytes`,
    ],
    ['a key', { key: 'é'.repeat((maxKeyBytes + 1) / 2) }, `the key is longer than ${maxKeyBytes} bytes`],
  ])('refuses %s of more bytes than anybody sends', (_, change, reason) => {
    expect(decodeTaskMessage(incoming(change))).toEqual({ ok: false, reason });
  });

  it('refuses a topic that is not ours', () => {
    expect(decodeTaskMessage(incoming({ topic: 'weather' }))).toMatchObject({ ok: false });
  });
});
