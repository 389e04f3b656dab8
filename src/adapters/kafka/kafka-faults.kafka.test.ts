import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { OutboxStatus } from '../../database/repositories/outbox-repository.js';
import { silentLogger } from '../../logging/logger.js';
import type { MessageConsumer, MessageHandler } from '../../messaging/message-consumer.js';
import type { OutgoingMessage } from '../../messaging/message-publisher.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { Inbox, acceptingInbox, done } from '../../testing/contract/inbox.js';
import { KafkaTestBroker } from '../../testing/contract/kafka-broker.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { OwnKafka } from '../../testing/contract/own-kafka.js';
import { OutboxBench } from '../../testing/outbox-bench.js';
import { openTestDatabase } from '../../testing/test-database.js';
import { KafkaConsumers } from './kafka-consumers.js';
import { KafkaPublisher } from './kafka-publisher.js';

jest.setTimeout(120_000);

const deadlineMs = 1_000;
/** What the clock of a busy machine may add. */
const slackMs = 700;

describe('kafka that fails', () => {
  let server: OwnKafka;
  let broker: KafkaTestBroker;
  let publisher: KafkaPublisher;
  let consumers: MessageConsumer[];

  beforeAll(async () => {
    server = await OwnKafka.create();
    await server.start();
  });

  afterAll(async () => {
    await server.remove();
  });

  beforeEach(async () => {
    await server.start();
    broker = await KafkaTestBroker.open([server.address]);
    publisher = new KafkaPublisher({ ...broker.options, sendDeadlineMs: deadlineMs }, silentLogger);
    consumers = [];
  });

  afterEach(async () => {
    server.wake();
    await server.start();
    await Promise.all([publisher.stop(), ...consumers.map((consumer) => consumer.stop())]);
    await broker.close();
  });

  const consume = async (handler: MessageHandler): Promise<MessageConsumer> => {
    const consumer = new KafkaConsumers(broker.options, silentLogger).create(ConsumerGroup.Index);
    consumers.push(consumer);
    await consumer.start(handler);
    return consumer;
  };

  const publish = (message: OutgoingMessage): Promise<void> => publisher.publish([message], { deadlineMs });

  /** What became of a send, and when. */
  const attempt = async (message: OutgoingMessage): Promise<{ stored: boolean; error?: unknown; ms: number }> => {
    const startedAt = performance.now();
    try {
      await publish(message);
      return { stored: true, ms: performance.now() - startedAt };
    } catch (error) {
      return { stored: false, error, ms: performance.now() - startedAt };
    }
  };

  /** Publishes until it succeeds. */
  const publishUntilStored = async (message: OutgoingMessage): Promise<void> => {
    while (!(await attempt(message)).stored) await pause(50);
  };

  it('makes every send give up at its deadline while it hangs, and takes sends again afterwards', async () => {
    await publisher.start();
    await publishUntilStored(buildMessage('1'));
    server.hang();
    const during = await Promise.all(Array.from({ length: 20 }, (_, n) => attempt(buildMessage(String(n)))));
    for (const { error, ms } of during) {
      expect(error).toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      expect(ms).toBeLessThan(deadlineMs + slackMs);
    }
    expect(publisher.health().up).toBe(false);
    server.wake();
    await publishUntilStored(buildMessage('1'));
    await Promise.all(Array.from({ length: 20 }, (_, n) => publishUntilStored(buildMessage(String(n)))));
    expect(publisher.health().up).toBe(true);
  });

  it('has stored everything that it acknowledged, though it hung for a while amid the sends', async () => {
    await publisher.start();
    await publishUntilStored(buildMessage('1'));
    const acknowledged: string[] = [];
    const send = async (): Promise<void> => {
      const message = buildMessage('1');
      if ((await attempt(message)).stored) acknowledged.push(message.value.taskId);
    };
    // When it wakes, the first send has given up, and the second waits over the same connection.
    server.hang();
    const woken = pause(deadlineMs * 1.15).then(() => server.wake());
    const sends: Promise<void>[] = [];
    for (let n = 0; n < 20; n += 1) {
      sends.push(send());
      await pause(deadlineMs / 4);
    }
    await woken;
    await Promise.all(sends);
    await publishUntilStored(buildMessage('1'));
    expect(acknowledged.length).toBeGreaterThan(10);
    const stored = (await broker.readAll(Topic.BuildIndex)).map(({ value }) => String(value));
    expect(acknowledged.filter((id) => !stored.some((value) => value.includes(id)))).toEqual([]);
  });

  it('makes sends fail quickly while it is dead, and delivers again once it is back', async () => {
    await publisher.start();
    const inbox = acceptingInbox();
    const consumer = await consume(inbox.handler);
    await publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    await server.kill();
    const first = await attempt(buildMessage('1'));
    expect(first.error).toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    expect(first.ms).toBeLessThan(deadlineMs + slackMs);
    while (!publisher.health().detail?.includes('ECONNREFUSED') || consumer.health().up) await pause(50);
    expect((await attempt(buildMessage('1'))).ms).toBeLessThan(deadlineMs / 4);
    await server.start();
    const last = buildMessage('1');
    await publishUntilStored(last);
    await inbox.until((got) => got.tasksOf('1').includes(last.value.taskId));
    while (!consumer.health().up) await pause(50);
  });

  it('does not keep whoever asks for the lag waiting, while it hangs and while it is dead', async () => {
    await publisher.start();
    await publishUntilStored(buildMessage('1'));
    const readers = new KafkaConsumers(broker.options, silentLogger);
    const givesUp = async (): Promise<void> => {
      const startedAt = performance.now();
      await expect(readers.lag(deadlineMs)).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      expect(performance.now() - startedAt).toBeLessThan(deadlineMs + slackMs);
    };
    server.hang();
    await givesUp();
    server.wake();
    expect((await readers.lag(10_000)).get(Topic.BuildIndex)).toBe(1);
    await server.kill();
    await givesUp();
  });

  it('does not keep publisher and consumer from starting while it is dead', async () => {
    await server.kill();
    await publisher.start();
    const inbox = acceptingInbox();
    const consumer = await consume(inbox.handler);
    expect(await attempt(buildMessage('1'))).toMatchObject({ error: { code: 'BROKER_UNAVAILABLE' } });
    expect(publisher.health()).toMatchObject({ up: false, detail: expect.stringContaining('does not answer') });
    expect(consumer.health().up).toBe(false);
    await server.start();
    await publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    while (!consumer.health().up) await pause(50);
  });

  it('gets its consumers back after it hung for longer than a session', async () => {
    await publisher.start();
    const inbox = acceptingInbox();
    await consume(inbox.handler);
    await publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    server.hang();
    await pause(broker.options.sessionMs * 1.5);
    server.wake();
    const last = buildMessage('1');
    await publishUntilStored(last);
    await inbox.until((got) => got.tasksOf('1').includes(last.value.taskId));
  });

  it('does not keep publisher and consumer from stopping in bounded time while it hangs', async () => {
    await publisher.start();
    const consumer = await consume(() => Promise.resolve(done));
    while (!consumer.health().up) await pause(20);
    const sending = attempt(buildMessage('1'));
    server.hang();
    try {
      const startedAt = performance.now();
      await Promise.all([publisher.stop(), consumer.stop()]);
      expect(performance.now() - startedAt).toBeLessThan(broker.options.sessionMs * 1.5);
    } finally {
      server.wake();
    }
    await sending;
  });

  it('brings a message once though its handler takes longer than a session', async () => {
    await publisher.start();
    const inbox = new Inbox(async () => {
      if (inbox.messages.length === 1) await pause(broker.options.sessionMs * 1.5);
      return done;
    });
    await publish(buildMessage('1'));
    await publish(buildMessage('1'));
    await consume(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 2);
    expect(new Set(inbox.tasksOf('1')).size).toBe(2);
  });

  it('gets a long outbox in order per document once it is back', async () => {
    const test = await openTestDatabase();
    try {
      const bench = new OutboxBench(test.database);
      await publisher.start();
      const relay = bench.relay(publisher);
      server.hang();
      const messages = Array.from({ length: 600 }, (_, n) => bench.message(String((n % 120) + 1)));
      await bench.append(...messages);
      relay.start();
      while (!(await bench.rows()).some(({ reason }) => reason !== null)) await pause(50);
      server.wake();
      while ((await bench.rows()).some(({ status }) => status === OutboxStatus.Pending)) await pause(100);
      await relay.stop();
      const stored = (await broker.readAll(Topic.ParseDocument)).map(({ headers }) => headers['x-task-id']);
      for (const document of new Set(messages.map(({ key }) => key))) {
        const sent = messages.filter(({ key }) => key === document).map(({ value }) => value.taskId);
        expect([...new Set(stored.filter((id) => sent.includes(id ?? '')))]).toEqual(sent);
      }
    } finally {
      await test.close();
    }
  });

  it('loses nothing when a member joins and leaves while messages are in hand', async () => {
    await publisher.start();
    const slow = async () => {
      await pause(30);
      return done;
    };
    const [first, second] = [new Inbox(slow), new Inbox(slow)];
    const messages = Array.from({ length: 120 }, (_, n) => buildMessage(String(n % 10)));
    for (const message of messages) await publish(message);
    await consume(first.handler);
    await first.until((inbox) => inbox.messages.length === 10);
    const joining = await consume(second.handler);
    await second.until((inbox) => inbox.messages.length === 10);
    await joining.stop();
    const got = (): Set<string> =>
      new Set([...first.messages, ...second.messages].map(({ headers }) => headers['x-task-id'] ?? ''));
    await first.until(() => got().size === messages.length);
  });
});
