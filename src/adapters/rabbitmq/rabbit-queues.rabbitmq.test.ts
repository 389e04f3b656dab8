import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartRefusal } from '../../domain/start-refusal.js';
import { silentLogger } from '../../logging/logger.js';
import { brokerUnavailable } from '../../messaging/deadline.js';
import type { MessageConsumer } from '../../messaging/message-consumer.js';
import { MessageRefused } from '../../messaging/message-publisher.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { Inbox, acceptingInbox } from '../../testing/contract/inbox.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { RabbitTestBroker } from '../../testing/contract/rabbit-broker.js';
import { createQueues } from './create-queues.js';
import { RabbitConsumers } from './rabbit-consumers.js';
import { keyHeader } from './rabbit-message.js';
import type { RabbitOptions } from './rabbit-options.js';
import { RabbitPublisher } from './rabbit-publisher.js';
import { RabbitSender } from './rabbit-sender.js';
import { allQueues, queueFor } from './rabbit-queues.js';

jest.setTimeout(60_000);

const nobody = 'amqp://guest:guest@127.0.0.1:9';
const done = { type: 'done' } as const;

describe('rabbitmq and its queues', () => {
  let broker: RabbitTestBroker;
  let consumers: MessageConsumer[];

  beforeEach(async () => {
    broker = await RabbitTestBroker.open();
    consumers = [];
  });

  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await broker.close();
  });

  const create = (change: Partial<RabbitOptions> = {}): MessageConsumer => {
    const consumer = new RabbitConsumers({ ...broker.options, ...change }, silentLogger).create(ConsumerGroup.Index);
    consumers.push(consumer);
    return consumer;
  };

  it('gets the queues that are missing, and keeps those that are there', async () => {
    const gone = queueFor(broker.options, Topic.ParseDocument, '1');
    await broker.publisher.publish([buildMessage('1')], { deadlineMs: 3_000 });
    await broker.deleteQueues([gone]);
    const reports = await createQueues(broker.options);
    expect(reports.map(({ queue }) => queue)).toEqual(allQueues(broker.options));
    expect(reports.filter(({ created }) => created)).toEqual([{ queue: gone, created: true }]);
    expect(await broker.stored(Topic.BuildIndex)).toBe(1);
  });

  it('says which queues are there with other settings, and leaves them', async () => {
    const reports = await createQueues({ ...broker.options, queueType: 'classic' });
    expect(reports.every(({ created, otherwise }) => !created && otherwise?.includes('x-queue-type'))).toBe(true);
  });

  it('names what is missing when publisher and consumer start', async () => {
    const gone = queueFor(broker.options, Topic.RebuildIndex, '1');
    await broker.deleteQueues([gone]);
    const publisher = new RabbitPublisher(broker.options, silentLogger);
    const consumer = create();
    const refusal = new StartRefusal(
      `RabbitMQ has no queue ${gone}. Create what is missing with \`npm run topics\`, ` +
        'or let the service do it with AMQP_DECLARE=on.',
    );
    await expect(publisher.start()).rejects.toEqual(refusal);
    await expect(consumer.start(() => Promise.resolve(done))).rejects.toEqual(refusal);
  });

  it('refuses to start with a password that the broker does not take', async () => {
    const url = broker.options.url.replace(/:[^:@]*@/, ':wrong@');
    const publisher = new RabbitPublisher({ ...broker.options, url }, silentLogger);
    const consumer = create({ url });
    await expect(publisher.start()).rejects.toThrow(StartRefusal);
    await expect(consumer.start(() => Promise.resolve(done))).rejects.toThrow(/ACCESS_REFUSED/);
  });

  it('says where it looked in vain for a broker to create queues on, without the password', async () => {
    const creating = createQueues({ ...broker.options, url: nobody });
    await expect(creating).rejects.toMatchObject({
      code: 'BROKER_UNAVAILABLE',
      message: expect.stringMatching(/^RabbitMQ at 127\.0\.0\.1:9 did not do it: (?!.*guest)/),
    });
  });

  it('lets a send to a missing queue fail before its deadline, and those to others succeed', async () => {
    const sender = new RabbitSender(broker.options, silentLogger);
    const sending = sender.sendMail([{ queue: 'no-such-queue', content: Buffer.from('x'), headers: {} }], 3_000);
    const other = sender.send([buildMessage('1')], 3_000);
    const startedAt = performance.now();
    await expect(sending).rejects.toEqual(
      brokerUnavailable('A queue is missing on the broker; create the queues with `npm run topics`.'),
    );
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await other;
    expect(await broker.stored(Topic.BuildIndex)).toBe(1);
    await sender.stop();
  });

  it('refuses a header with too long a name, and takes the next', async () => {
    const headers = { ['n'.repeat(256)]: '1' };
    const message = { topic: Topic.BuildIndex, key: '1', bytes: Buffer.from('x'), headers };
    await expect(broker.publisher.publish([message], { deadlineMs: 3_000 })).rejects.toThrow(MessageRefused);
    await broker.publisher.publish([buildMessage('1')], { deadlineMs: 3_000 });
    expect(await broker.stored(Topic.BuildIndex)).toBe(1);
  });

  it('reads headers of every kind as text, and a message without a key', async () => {
    const headers = { n: 7, yes: true, table: { a: [1, 'b'] }, bytes: Buffer.from('é'), none: null, text: '量' };
    await broker.sendRaw(queueFor(broker.options, Topic.BuildIndex, '1'), Buffer.from('x'), headers);
    const inbox = acceptingInbox();
    const consumer = create();
    await consumer.start(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 1);
    await consumer.stop();
    expect(inbox.messages[0]).toMatchObject({ topic: Topic.BuildIndex, key: null });
    expect(inbox.messages[0]?.headers).toEqual({ n: '7', yes: 'true', table: '{"a":[1,"b"]}', bytes: 'é', text: '量' });
  });

  it('moves aside a message whose headers leave no room for the reason, and one that would send itself elsewhere', async () => {
    const queue = queueFor(broker.options, Topic.BuildIndex, '1');
    const elsewhere = queueFor(broker.options, Topic.ParseDocument, '1');
    await broker.sendRaw(queue, Buffer.from('wide'), { big: 'x'.repeat(65_400), [keyHeader]: '1' });
    await broker.sendRaw(queue, Buffer.from('copied'), { CC: [elsewhere] });
    const inbox = new Inbox(() => ({ type: 'dead', reason: 'no good' }));
    const consumer = create();
    await consumer.start(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 2);
    await consumer.stop();
    const letters = await broker.deadLetters();
    expect(letters.map(({ value }) => String(value)).sort()).toEqual(['copied', 'wide']);
    const wide = letters.find(({ value }) => String(value) === 'wide');
    expect(wide?.key).toBe('1');
    expect(wide?.headers).toMatchObject({ 'x-dead-reason': 'no good', 'x-dead-headers': '2' });
    expect(await broker.stored(Topic.ParseDocument)).toBe(1);
  });

  it('shares queues out between those who read them, and again when one leaves', async () => {
    const inboxes = [acceptingInbox(), acceptingInbox(), acceptingInbox()];
    inboxes.forEach(() => create());
    for (const [n, consumer] of consumers.entries())
      await consumer.start(inboxes[n]?.handler ?? (() => Promise.resolve(done)));
    const documents = Array.from({ length: 12 }, (_, n) => String(n));
    while (inboxes.some(({ messages }) => messages.length === 0)) {
      for (const document of documents) {
        await broker.publisher.publish([buildMessage(document)], { deadlineMs: 3_000 });
      }
    }
    await consumers[0]?.stop();
    const before = inboxes[0]?.messages.length;
    const last = documents.map((document) => buildMessage(document));
    await broker.publisher.publish(last, { deadlineMs: 3_000 });
    const got = (): string[] =>
      inboxes.flatMap(({ messages }) => messages.map(({ headers }) => headers['x-task-id'] ?? ''));
    await Promise.race(
      inboxes.slice(1).map((inbox) => inbox.until(() => last.every(({ value }) => got().includes(value.taskId)))),
    );
    expect(inboxes[0]?.messages).toHaveLength(before ?? -1);
  });

  it('stops at once at whatever moment of its start', async () => {
    for (let ms = 0; ms < 60; ms += 3) {
      const consumer = create();
      await consumer.start(() => Promise.resolve(done));
      await pause(ms);
      const stoppedAt = performance.now();
      await consumer.stop();
      expect(performance.now() - stoppedAt).toBeLessThan(2_000);
    }
  });

  it.each(['there', 'away'])(
    'lets a process end by itself once all has stopped, while the broker is %s',
    async (where) => {
      const program = fileURLToPath(new URL('../../testing/processes/start-and-stop-rabbit.ts', import.meta.url));
      const loader = new URL('../../../ts-loader.mjs', import.meta.url).href;
      const options = where === 'there' ? broker.options : { ...broker.options, url: nobody };
      const child = fork(program, [JSON.stringify(options)], { execArgv: ['--no-warnings', '--import', loader] });
      const exited = once(child, 'exit');
      await once(child, 'message');
      const stoppedAt = performance.now();
      expect(await exited).toEqual([0, null]);
      expect(performance.now() - stoppedAt).toBeLessThan(2_000);
    },
  );
});
