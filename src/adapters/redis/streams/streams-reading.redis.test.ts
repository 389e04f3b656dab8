import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '../../../logging/logger.js';
import type { MessageConsumer, MessageHandler } from '../../../messaging/message-consumer.js';
import type { OutgoingMessage } from '../../../messaging/message-publisher.js';
import { brokerName, ConsumerGroup, DeadLetters, Topic } from '../../../messaging/topic.js';
import { Inbox, acceptingInbox, done } from '../../../testing/contract/inbox.js';
import { buildMessage, deadlineMs } from '../../../testing/contract/messaging-bench.js';
import { StreamsTestBroker } from '../../../testing/contract/streams-broker.js';
import { OwnRedis } from '../../../testing/own-redis.js';
import { ownerKey, streamFor } from './stream-names.js';
import { StreamsConsumers } from './streams-consumers.js';

jest.setTimeout(60_000);

const timings = { ownMs: 1_500, beatMs: 200 };

describe('reading streams', () => {
  let server: OwnRedis;
  let broker: StreamsTestBroker;
  let consumers: MessageConsumer[];
  /** Where messages of document 1 lie, and who reads them. */
  let stream: string;
  let group: string;

  beforeAll(async () => {
    server = await OwnRedis.create({ keeps: true });
  });

  afterAll(() => server.remove());

  beforeEach(async () => {
    broker = await StreamsTestBroker.open(server.url);
    consumers = [];
    stream = streamFor(broker.options, Topic.BuildIndex, '1');
    group = brokerName(broker.options.prefix, ConsumerGroup.Index);
  });

  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await broker.close();
  });

  const consume = async (handler: MessageHandler): Promise<MessageConsumer> => {
    const consumer = new StreamsConsumers(broker.options, silentLogger, timings).create(ConsumerGroup.Index);
    consumers.push(consumer);
    await consumer.start(handler);
    return consumer;
  };

  const publish = (...messages: OutgoingMessage[]): Promise<void> => broker.publisher.publish(messages, { deadlineMs });

  const publishUntilStored = async (message: OutgoingMessage): Promise<void> => {
    for (;;) {
      const stored = await publish(message).then(
        () => true,
        () => false,
      );
      if (stored) return;
      await pause(50);
    }
  };

  /** An inbox whose handler waits in its first message until it is let go. */
  const holdingInbox = (): { inbox: Inbox; letGo: () => void } => {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const inbox: Inbox = new Inbox(async () => {
      if (inbox.messages.length === 1) await gate;
      return done;
    });
    return { inbox, letGo };
  };

  it('hands in nothing more of a stream that was lost while a message is in hand', async () => {
    const { inbox, letGo } = holdingInbox();
    await publish(buildMessage('1'), buildMessage('1'), buildMessage('1'));
    await consume(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 1);
    await broker.ask((redis) => redis.set(ownerKey(stream), 'somebody else', 'PX', 3_000));
    await pause(timings.beatMs * 3);
    letGo();
    await pause(500);
    expect(inbox.messages).toHaveLength(1);
    // The other one is never heard of again.
    await inbox.until(({ messages }) => messages.length === 3);
    expect(new Set(inbox.tasksOf('1')).size).toBe(3);
  });

  /** Has a reader that is never heard of again take `count` of the messages. */
  const leaveWith = (count: number, timesInHand = 1): Promise<unknown> =>
    broker.ask(async (redis) => {
      await redis.xgroup('CREATE', stream, group, '0');
      await redis.xreadgroup('GROUP', group, 'dead', 'COUNT', count, 'STREAMS', stream, '>');
      for (const [id] of await redis.xrange(stream, '-', '+', 'COUNT', count)) {
        await redis.xclaim(stream, group, 'dead', 0, id, 'RETRYCOUNT', timesInHand, 'JUSTID');
      }
    });

  it('hands in what an earlier reader left before anything newer, and forgets that reader', async () => {
    const [left, newer] = [[buildMessage('1'), buildMessage('1')], buildMessage('1')];
    await publish(...left);
    await leaveWith(2);
    await publish(newer);
    const inbox = acceptingInbox();
    await consume(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 3);
    expect(inbox.tasksOf('1')).toEqual([...left, newer].map(({ value }) => value.taskId));
    const readers = await broker.ask((redis) => redis.xinfo('CONSUMERS', stream, group));
    expect(JSON.stringify(readers)).not.toContain('dead');
  });

  it('acknowledges what was deleted after it was given', async () => {
    await publish(buildMessage('1'), buildMessage('1'));
    await leaveWith(2);
    await broker.ask(async (redis) => {
      const [[id] = ['']] = await redis.xrange(stream, '-', '+', 'COUNT', 1);
      await redis.xdel(stream, id);
    });
    const inbox = acceptingInbox();
    await consume(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 1);
    await until(async () => ((await broker.ask((redis) => redis.xpending(stream, group)))[0] as number) === 0);
  });

  it('moves a message aside that readers were lost with again and again', async () => {
    const [fatal, next] = [buildMessage('1'), buildMessage('1')];
    await publish(fatal, next);
    await leaveWith(1, 19);
    const doomed = await broker.startProcess(ConsumerGroup.Index, 'hang');
    await doomed.receives(1);
    await doomed.kill();
    const inbox = acceptingInbox();
    await consume(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 2);
    expect(inbox.tasksOf('1')).toEqual([fatal.value.taskId, next.value.taskId]);
    // Whoever keeps letters is told of it, and cannot have it stay.
    const reason = 'it was in hand 20 times and nobody lived to give a verdict';
    expect(inbox.messages.map(({ givenUp }) => givenUp)).toEqual([reason, undefined]);
    const [letter, ...more] = await broker.deadLetters();
    expect(more).toEqual([]);
    expect(letter?.headers).toMatchObject({ 'x-task-id': fatal.value.taskId, 'x-dead-reason': reason });
  });

  it.each(['all that Redis had', 'a stream', 'a group'])(
    'goes on with new messages after %s was removed',
    async (what) => {
      const inbox = acceptingInbox();
      await consume(inbox.handler);
      await publish(buildMessage('1'));
      await inbox.until(({ messages }) => messages.length === 1);
      await broker.ask(async (redis) => {
        if (what === 'all that Redis had') await redis.flushall();
        else if (what === 'a stream') await redis.del(stream);
        else await redis.xgroup('DESTROY', stream, group);
      });
      const last = buildMessage('1');
      await publish(last);
      await inbox.until((got) => got.tasksOf('1').includes(last.value.taskId));
    },
  );

  it('brings what was acknowledged to a sender after Redis was killed, where it writes to disk', async () => {
    const messages = Array.from({ length: 50 }, (_, n) => buildMessage(String(n)));
    await publish(...messages);
    await server.kill();
    await server.start();
    const inbox = acceptingInbox();
    await consume(inbox.handler);
    await inbox.until((got) => got.messages.length >= messages.length);
    expect(new Set(inbox.keys).size).toBe(50);
  });

  it('refuses to send while Redis has no memory, and reads on, which makes room', async () => {
    await publish(buildMessage('1'));
    await broker.ask((redis) => redis.config('SET', 'maxmemory', '1'));
    try {
      await expect(publish(buildMessage('1'))).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      const inbox = acceptingInbox();
      await consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 1);
      await until(async () => (await broker.stored(Topic.BuildIndex)) === 0);
    } finally {
      await broker.ask((redis) => redis.config('SET', 'maxmemory', '0'));
    }
    await publishUntilStored(buildMessage('1'));
  });

  it('keeps no more dead letters than it is told, about', async () => {
    const letters = Array.from({ length: 1_500 }, () => ({ ...buildMessage('1'), topic: DeadLetters.Index }) as const);
    await broker.publisher.publish(letters, { deadlineMs });
    const kept = await broker.stored(DeadLetters.Index);
    expect(kept).toBeGreaterThanOrEqual(broker.options.deadLettersKept);
    expect(kept).toBeLessThan(1_200);
  });

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await pause(20);
  }
});
