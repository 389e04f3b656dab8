import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FeedLine } from '../database/repositories/task-feed-repository.js';
import { Stage } from '../domain/task/stage.js';
import { TaskEvent } from '../domain/task/task-event.js';
import { Actor } from '../domain/task/task-type.js';
import { EventStream } from './event-stream.js';

const times = { keepAliveMs: 1_000, slowMs: 5_000, retryMs: 2_000 };
const lineOf = (id: string, metadata: Record<string, unknown> = {}): FeedLine => ({
  id,
  at: new Date(0),
  stage: Stage.ChunkExecute,
  event: TaskEvent.Start,
  actor: Actor.System,
  operatorId: null,
  metadata,
  taskId: '1',
  documentId: null,
});
const large = { filling: 'x'.repeat(200_000) };

let leaving: AbortController;
let stream: EventStream;
let calls: string[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  leaving = new AbortController();
  stream = new EventStream('en', leaving.signal, times);
  calls = [];
  stream.connect(
    () => calls.push('more'),
    () => calls.push('gone'),
  );
});
afterEach(() => {
  stream.destroy();
  jest.useRealTimers();
});

/** A client that reads nothing until it is told to. */
function slowClient(): { client: PassThrough; over: Promise<unknown> } {
  const client = new PassThrough();
  return { client, over: pipeline(stream, client).catch((error: unknown) => error) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('an event stream', () => {
  it('writes log events with their id, others without, and ends', async () => {
    stream.reset();
    stream.line(lineOf('7'), '12-7');
    stream.end();
    stream.line(lineOf('8'), '12-8');
    const [retry, reset, line, rest] = (await text(stream)).split('\n\n');
    expect([retry, reset, rest]).toEqual(['retry: 2000', 'event: reset\ndata: {"reason":"UNKNOWN_EVENT_ID"}', '']);
    expect(line).toMatch(/^id: 12-7\ndata: {"taskId":"1",.*"eventType":"START".*}$/);
    expect(calls).toContain('gone');
  });

  it('keeps a silent line alive with comments', async () => {
    const { client } = slowClient();
    jest.advanceTimersByTime(2_500);
    await settle();
    expect(String(client.read())).toBe('retry: 2000\n\n: still here\n\n: still here\n\n');
  });

  it('takes no more while its client is slow, and asks for more when it reads again', async () => {
    const { client } = slowClient();
    await settle();
    stream.line(lineOf('1', large), '1');
    stream.line(lineOf('2', large), '2');
    await settle();
    expect([stream.ready, calls]).toEqual([false, []]);
    client.resume();
    await settle();
    await settle();
    expect([stream.ready, calls]).toEqual([true, ['more']]);
  });

  it('drops a client that stays slow', async () => {
    const { over } = slowClient();
    await settle();
    stream.line(lineOf('1', large), '1');
    stream.line(lineOf('2', large), '2');
    await settle();
    jest.advanceTimersByTime(times.slowMs);
    expect(await over).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect(calls).toEqual(['gone']);
  });

  it('ends in order when the server stops, and at once where nobody reads', async () => {
    const { client, over } = slowClient();
    client.resume();
    await settle();
    leaving.abort();
    expect(await over).toBeUndefined();

    stream = new EventStream('en', (leaving = new AbortController()).signal, times);
    const slow = slowClient();
    await settle();
    stream.line(lineOf('1', large), '1');
    stream.line(lineOf('2', large), '2');
    await settle();
    leaving.abort();
    expect(await slow.over).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('leaves no timer behind', () => {
    stream.destroy();
    expect(jest.getTimerCount()).toBe(0);
  });
});
