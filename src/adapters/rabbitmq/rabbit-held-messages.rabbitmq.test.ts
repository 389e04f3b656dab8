import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageConsumer } from '../../messaging/message-consumer.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { Inbox, acceptingInbox, done } from '../../testing/contract/inbox.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { OwnRabbit } from '../../testing/contract/own-rabbit.js';
import { RabbitTestBroker } from '../../testing/contract/rabbit-broker.js';

jest.setTimeout(120_000);

describe('rabbitmq that closes the channel of whoever holds a message for long', () => {
  const consumerTimeout = '-rabbit consumer_timeout 1000 -rabbit channel_tick_interval 200';
  let server: OwnRabbit;
  let broker: RabbitTestBroker;
  let consumer: MessageConsumer;

  beforeAll(async () => {
    server = await OwnRabbit.create(consumerTimeout);
    await server.start();
  });

  afterAll(async () => {
    await server.remove();
  });

  afterEach(async () => {
    await consumer.stop();
    await broker.close();
  });

  it('brings the message again, over a new channel', async () => {
    broker = await RabbitTestBroker.open(server.url);
    const inbox = new Inbox(async (_, times) => {
      if (times === 1) await pause(2_500);
      return done;
    });
    const message = buildMessage('1');
    await broker.publisher.publish([message], { deadlineMs: 3_000 });
    consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 2);
    while (!consumer.health().up) await pause(20);
    await consumer.stop();
    expect(inbox.tasksOf('1')).toEqual([message.value.taskId, message.value.taskId]);
    expect(await broker.stored(Topic.BuildIndex)).toBe(0);
  });

  it('never gets to it while the message only waits, for however long', async () => {
    broker = await RabbitTestBroker.open(server.url, {}, { holdMs: 500 });
    const inbox = acceptingInbox();
    consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    while (!consumer.health().up) await pause(20);
    consumer.pause();
    await broker.publisher.publish([buildMessage('1')], { deadlineMs: 3_000 });
    for (const until = performance.now() + 3_000; performance.now() < until; await pause(20)) {
      expect(consumer.health().up).toBe(true);
    }
    consumer.resume();
    await inbox.until(({ messages }) => messages.length === 1);
  });
});
