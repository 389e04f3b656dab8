import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '../../logging/logger.js';
import type { MessageConsumer, MessageHandler } from '../../messaging/message-consumer.js';
import type { OutgoingMessage } from '../../messaging/message-publisher.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { describeOutages } from '../../testing/contract/describe-outages.js';
import { Inbox, acceptingInbox, done } from '../../testing/contract/inbox.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { OwnRabbit } from '../../testing/contract/own-rabbit.js';
import { RabbitTestBroker } from '../../testing/contract/rabbit-broker.js';
import { CuttingProxy } from '../../testing/cutting-proxy.js';
import { RabbitConsumers } from './rabbit-consumers.js';
import type { RabbitOptions } from './rabbit-options.js';
import { RabbitPublisher } from './rabbit-publisher.js';
import { queueFor, queuesOf } from './rabbit-queues.js';

jest.setTimeout(120_000);

const deadlineMs = 1_000;
const timings = { beaconMs: 200, silenceMs: 2_000, stopMs: 1_000 };

describeOutages('rabbitmq', {
  create: () => OwnRabbit.create(),
  open: (server) => RabbitTestBroker.open(server.url, {}, timings),
  memberMs: timings.silenceMs,
});

describe('rabbitmq that strikes', () => {
  let server: OwnRabbit;
  let broker: RabbitTestBroker;
  let options: RabbitOptions;
  let publisher: RabbitPublisher;
  let consumers: MessageConsumer[];

  beforeAll(async () => {
    server = await OwnRabbit.create();
    await server.start();
  });

  afterAll(async () => {
    await server.remove();
  });

  beforeEach(async () => {
    await server.start();
    broker = await RabbitTestBroker.open(server.url);
    reach(broker.options);
    consumers = [];
  });

  afterEach(async () => {
    server.wake();
    await server.start();
    await Promise.all([publisher.stop(), ...consumers.map((consumer) => consumer.stop())]);
    await broker.close();
  });

  /** From now on the broker is reached like this. */
  const reach = (change: Partial<RabbitOptions>): void => {
    options = { ...broker.options, sendDeadlineMs: deadlineMs, ...change };
    publisher = new RabbitPublisher(options, silentLogger);
  };

  const consume = async (handler: MessageHandler): Promise<MessageConsumer> => {
    const consumer = new RabbitConsumers(options, silentLogger, timings).create(ConsumerGroup.Index);
    consumers.push(consumer);
    await consumer.start(handler);
    return consumer;
  };

  /** What became of a send, and when. */
  const attempt = async (message: OutgoingMessage): Promise<{ stored: boolean; error?: unknown; ms: number }> => {
    const startedAt = performance.now();
    try {
      await publisher.publish([message], { deadlineMs });
      return { stored: true, ms: performance.now() - startedAt };
    } catch (error) {
      return { stored: false, error, ms: performance.now() - startedAt };
    }
  };

  /** Publishes until it succeeds. */
  const publishUntilStored = async (message: OutgoingMessage): Promise<void> => {
    while (!(await attempt(message)).stored) await pause(50);
  };

  const untilUp = async (consumer: MessageConsumer): Promise<void> => {
    while (!consumer.health().up) await pause(20);
  };

  it('loses nothing when it closes all connections, and gets each back once', async () => {
    await publisher.start();
    const inbox = acceptingInbox();
    const consumer = await consume(inbox.handler);
    await untilUp(consumer);
    const own = async (): Promise<string[]> =>
      (await server.control('list_connections', 'client_properties'))
        .split('\n')
        .flatMap(
          (line) => /indexwright (publisher|watch|roster \S+?index|\S+?-index-bulk|\S+?-index)"/.exec(line)?.[1] ?? [],
        )
        .sort();
    await publishUntilStored(buildMessage('1'));
    const before = await own();
    const messages = Array.from({ length: 60 }, (_, n) => buildMessage(String(n % 10)));
    for (const [n, message] of messages.entries()) {
      if (n % 20 === 10) await server.control('close_all_connections', 'a test');
      await publishUntilStored(message);
    }
    await inbox.until((got) => messages.every(({ key, value }) => got.tasksOf(key).includes(value.taskId)));
    await untilUp(consumer);
    while ((await own()).length < before.length) await pause(100);
    await pause(timings.silenceMs);
    expect(await own()).toEqual(before);
  });

  it('loses nothing when lines are cut while messages are sent and while they are in hand', async () => {
    const proxy = await CuttingProxy.to(server.address.host, server.address.port);
    try {
      reach({ url: server.urlAt(proxy.port) });
      await publisher.start();
      const inbox = new Inbox(async () => {
        await pause(5);
        return done;
      });
      const consumer = await consume(inbox.handler);
      await untilUp(consumer);
      const messages = Array.from({ length: 100 }, (_, n) => buildMessage(String(n % 10)));
      for (const [n, message] of messages.entries()) {
        const sending = publishUntilStored(message);
        if (n % 25 === 12) proxy.cut();
        await sending;
      }
      await inbox.until((got) => messages.every(({ key, value }) => got.tasksOf(key).includes(value.taskId)));
      for (const document of new Set(messages.map(({ key }) => key))) {
        const sent = messages.filter(({ key }) => key === document).map(({ value }) => value.taskId);
        expect([...new Set(inbox.tasksOf(document))]).toEqual(sent);
      }
      await Promise.all([publisher.stop(), consumer.stop()]);
    } finally {
      await proxy.close();
    }
  });

  it('says which queues were deleted under a consumer, and delivers once they are back', async () => {
    await publisher.start();
    const inbox = acceptingInbox();
    const consumer = await consume(inbox.handler);
    await untilUp(consumer);
    const queue = queueFor(options, Topic.BuildIndex, '1');
    await broker.deleteQueues([queue]);
    while (!consumer.health().detail?.includes(queue)) await pause(20);
    expect(consumer.health().up).toBe(false);
    const sent = await attempt(buildMessage('1'));
    expect(sent.error).toMatchObject({
      code: 'BROKER_UNAVAILABLE',
      message: expect.stringContaining('npm run topics'),
    });
    expect(sent.ms).toBeLessThan(deadlineMs);
    while (!publisher.health().detail?.includes(queue)) await pause(20);
    await broker.createQueues();
    await publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    await untilUp(consumer);
    expect(consumer.health().gaveUp).toBeUndefined();
  });

  it('makes queues anew that were deleted, where it may', async () => {
    reach({ declares: true });
    await publisher.start();
    const inbox = acceptingInbox();
    const consumer = await consume(inbox.handler);
    await untilUp(consumer);
    await broker.deleteQueues(queuesOf(options, Topic.BuildIndex));
    await publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    await untilUp(consumer);
  });

  it('refuses sends at once while it is short of memory, and goes on delivering', async () => {
    await publisher.start();
    const inbox = acceptingInbox();
    const consumer = await consume(inbox.handler);
    consumer.pause();
    const waiting = ['1', '2', '3', '4', '5'].map((document) => buildMessage(document));
    for (const message of waiting) await publishUntilStored(message);
    await server.control('set_vm_memory_high_watermark', '0.00001');
    try {
      // Only a connection that sends is told.
      await attempt(buildMessage('6'));
      const refused = await attempt(buildMessage('6'));
      expect(refused.error).toMatchObject({ message: 'The message broker takes no messages at present.' });
      expect(refused.ms).toBeLessThan(deadlineMs / 4);
      consumer.resume();
      await inbox.until((got) => waiting.every(({ key, value }) => got.tasksOf(key).includes(value.taskId)));
    } finally {
      await server.control('set_vm_memory_high_watermark', '0.4');
    }
    await publishUntilStored(buildMessage('6'));
  });

  it.each(['off', 'on'])('needs no more rights than the documentation says, with AMQP_DECLARE=%s', async (declare) => {
    const { prefix } = broker.options;
    const configure = declare === 'on' ? `^${prefix}-.*` : `^${prefix}-.*\\.member-.*`;
    const user = `worker-${declare}`;
    await server.control('add_user', user, 'secret');
    await server.control(
      ...['set_permissions', user, configure],
      ...[`^(amq\\.default|amq\\.direct|${prefix}-.*)$`, `^(amq\\.direct|${prefix}-.*)$`],
    );
    reach({ url: server.url.replace('guest:guest', `${user}:secret`), declares: declare === 'on' });
    if (declare === 'on') await broker.deleteQueues(queuesOf(options, Topic.BuildIndex));
    await publisher.start();
    const inbox = new Inbox((_, times) =>
      times === 1 ? { type: 'later', reason: 'a test' } : { type: 'dead', reason: 'a test' },
    );
    const consumers = [await consume(inbox.handler), await consume(inbox.handler)];
    for (const consumer of consumers) await untilUp(consumer);
    await publishUntilStored(buildMessage('1'));
    while ((await broker.deadLetters()).length === 0) await pause(50);
    for (const consumer of consumers) expect(consumer.health().up).toBe(true);
  });
});
