import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskType } from '../../domain/task/task-type.js';
import { decodeTaskMessage, encodeValue } from '../../messaging/message-codec.js';
import type { MessageConsumer, MessageHandler } from '../../messaging/message-consumer.js';
import type { OutgoingMessage } from '../../messaging/message-publisher.js';
import { taskMessage } from '../../messaging/task-message.js';
import { ConsumerGroup, Topic } from '../../messaging/topic.js';
import { Inbox, acceptingInbox, done } from './inbox.js';
import type { MessagingBroker } from './messaging-broker.js';

export interface MessagingContract {
  /** Opens an environment in which nothing was ever sent. */
  open(): Promise<MessagingBroker>;
  /** False where the broker serves a single process. */
  readonly servesProcesses: boolean;
  /** Longest way from an acknowledged send to an idle consumer, in ms. */
  readonly pickupMs: number;
}

const deadlineMs = 3_000;
const later = { type: 'later', reason: 'not yet' } as const;

/** Apart from the small numbers of documents. */
let lastTaskId = 1_000;

/** A build message of a document; task ids rise from call to call. */
export function buildMessage(documentId: string, taskType: TaskType = TaskType.BuildIndex): OutgoingMessage {
  lastTaskId += 1;
  return taskMessage({ id: String(lastTaskId), tenantId: '0', documentId, planId: '7', taskType });
}

/** What every broker adapter promises, checked against its real broker. */
export function describeMessaging(name: string, contract: MessagingContract): void {
  describe(`messaging over ${name}`, () => {
    let broker: MessagingBroker;
    let opened: MessageConsumer[];

    beforeEach(async () => {
      broker = await contract.open();
      opened = [];
    });

    afterEach(async () => {
      await Promise.all(opened.map((consumer) => consumer.stop()));
      await broker.close();
    });

    const consume = async (handler: MessageHandler): Promise<MessageConsumer> => {
      const consumer = broker.consumers.create(ConsumerGroup.Index);
      opened.push(consumer);
      await consumer.start(handler);
      return consumer;
    };

    /** One by one, as callers do that wait for the acknowledgement. */
    const publish = async (...messages: OutgoingMessage[]): Promise<void> => {
      for (const message of messages) await broker.publisher.publish([message], { deadlineMs });
    };

    const publishRaw = (key: string, text: string): Promise<void> =>
      broker.sendForeign(Topic.BuildIndex, { key, value: Buffer.from(text), headers: {} });

    describe('publishing', () => {
      it('resolves only when every message is stored', async () => {
        const messages = ['1', '2', '3', '4', '5'].map((document) => buildMessage(document));
        await broker.publisher.publish(messages, { deadlineMs });
        expect(await broker.stored(Topic.BuildIndex)).toBe(5);
      });

      it('takes many sends at once', async () => {
        const messages = Array.from({ length: 50 }, (_, n) => buildMessage(String(n + 1)));
        await Promise.all(messages.map((message) => publish(message)));
        expect(await broker.stored(Topic.BuildIndex)).toBe(50);
      });

      it('resolves for no message at all', async () => {
        await broker.publisher.publish([], { deadlineMs });
        expect(await broker.stored(Topic.BuildIndex)).toBe(0);
      });

      it('is up', () => {
        expect(broker.publisher.health()).toMatchObject({ up: true });
      });
    });

    describe('delivering', () => {
      it('brings what was sent before the first consumer started, bytes and headers intact', async () => {
        const message = { ...buildMessage('41'), headers: { ...buildMessage('41').headers, 'x-unknown': 'Größe 量' } };
        await publish(message);
        const inbox = acceptingInbox();
        await consume(inbox.handler);
        await inbox.until(({ messages }) => messages.length === 1);
        const [got] = inbox.messages;
        expect(got).toMatchObject({ topic: Topic.BuildIndex, key: '41', headers: message.headers });
        expect(got?.value?.toString()).toBe(encodeValue(message.value));
      });

      it('brings a message to an idle consumer at once', async () => {
        const inbox = acceptingInbox();
        await consume(inbox.handler);
        await publish(buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === 1);
        const sentAt = performance.now();
        await publish(buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === 2);
        expect(performance.now() - sentAt).toBeLessThan(contract.pickupMs);
      });

      it('keeps the order of each key and handles one message at a time', async () => {
        const documents = ['1', '2', '3'];
        const messages = Array.from({ length: 30 }, (_, n) => buildMessage(documents[n % 3] ?? ''));
        const inbox = new Inbox(async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return done;
        });
        await broker.publisher.publish(messages.slice(0, 15), { deadlineMs });
        await consume(inbox.handler);
        await publish(...messages.slice(15));
        await inbox.until((got) => got.messages.length === 30);
        for (const document of documents) {
          const sent = messages.filter(({ key }) => key === document).map(({ value }) => value.taskId);
          expect(inbox.tasksOf(document)).toEqual(sent);
        }
        expect(inbox.mostInHand).toBe(1);
      });

      it('brings other groups nothing of it', async () => {
        const parses = acceptingInbox();
        const consumer = broker.consumers.create(ConsumerGroup.Parse);
        opened.push(consumer);
        await consumer.start(parses.handler);
        const inbox = acceptingInbox();
        await consume(inbox.handler);
        await publish(buildMessage('1'), buildMessage('1', TaskType.ParseDocument));
        await parses.until(({ messages }) => messages.length === 1);
        await inbox.until(({ messages }) => messages.length === 1);
        expect(parses.messages.map(({ topic }) => topic)).toEqual([Topic.ParseDocument]);
        expect(inbox.messages.map(({ topic }) => topic)).toEqual([Topic.BuildIndex]);
      });

      it('lets a batch wait while single builds wait', async () => {
        const batch = ['1', '2', '3', '4', '5'].map((document) => buildMessage(document, TaskType.RebuildIndex));
        const inbox = acceptingInbox();
        const consumer = await consume(inbox.handler);
        await publish(buildMessage('9'));
        await inbox.until(({ messages }) => messages.length === 1);
        consumer.pause();
        await publish(...batch, buildMessage('6'), buildMessage('7'));
        consumer.resume();
        await inbox.until(({ messages }) => messages.length === 8);
        const order = inbox.messages.map(({ topic }) => topic);
        // One of the batch may have had its turn before the first single build was there.
        expect(order.lastIndexOf(Topic.BuildIndex)).toBeLessThanOrEqual(4);
      });
    });

    describe('a verdict', () => {
      it('of later brings the message again, before anything else of its key', async () => {
        const messages = [buildMessage('1'), buildMessage('1'), buildMessage('1')];
        const [first, second, third] = messages.map(({ value }) => value.taskId);
        const inbox = new Inbox((message, times) =>
          times < 3 && message.value?.includes(`"${first}"`) ? later : done,
        );
        await publish(...messages);
        await consume(inbox.handler);
        await inbox.until((got) => got.messages.length === 5);
        expect(inbox.tasksOf('1')).toEqual([first, first, first, second, third]);
      });

      it('of later does not hold up the other keys', async () => {
        const inbox = new Inbox((message) => (message.key === '1' ? later : done));
        await publish(buildMessage('1'), ...Array.from({ length: 12 }, (_, n) => buildMessage(String(n + 2))));
        await consume(inbox.handler);
        await inbox.until(
          ({ keys }) => keys.some((key) => key !== '1') && keys.filter((key) => key === '1').length > 2,
        );
      });

      it.each([
        ['TypeError', new TypeError('t')],
        ['SyntaxError', new SyntaxError('s')],
        ['plain Error', new Error('e')],
      ])('that is a %s instead counts as later, and the consumer lives on', async (_, error) => {
        const inbox = new Inbox((__, times) => (times === 1 ? Promise.reject(error) : done));
        const consumer = await consume(inbox.handler);
        const message = buildMessage('1');
        await publish(message, buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === 4);
        expect(inbox.tasksOf('1').slice(0, 2)).toEqual([message.value.taskId, message.value.taskId]);
        expect(consumer.health().up).toBe(true);
      });

      it('of dead moves the message aside as it was, with the reason', async () => {
        const inbox = new Inbox((message) => {
          const decoded = decodeTaskMessage(message);
          return decoded.ok ? done : { type: 'dead', reason: decoded.reason };
        });
        await broker.sendForeign(Topic.BuildIndex, {
          key: '1',
          value: Buffer.from('{"documentId": 1, '),
          headers: { 'x-from': 'elsewhere' },
        });
        await publish(buildMessage('1'));
        await consume(inbox.handler);
        await inbox.until(({ messages }) => messages.length === 2);
        const letters = await broker.deadLetters();
        expect(letters).toHaveLength(1);
        expect(letters[0]?.key).toBe('1');
        expect(letters[0]?.value?.toString()).toBe('{"documentId": 1, ');
        expect(letters[0]?.headers).toMatchObject({
          'x-from': 'elsewhere',
          'x-dead-reason': 'the value is not a JSON object',
          'x-dead-topic': expect.stringContaining(Topic.BuildIndex),
          'x-dead-offset': expect.any(String),
        });
      });

      it('of dead gets past every kind of poison', async () => {
        const poison = ['', '[]', '['.repeat(4_000), '{"documentId":1,"taskId":2}', 'x'.repeat(1_000_000)];
        const inbox = new Inbox((message) =>
          decodeTaskMessage(message).ok ? done : { type: 'dead', reason: 'cannot be read' },
        );
        await broker.sendForeign(Topic.BuildIndex, { key: '1', value: null, headers: {} });
        for (const text of poison) await publishRaw('1', text);
        await publish(buildMessage('1'));
        const consumer = await consume(inbox.handler);
        await inbox.until(({ messages }) => messages.length === poison.length + 2);
        expect(await broker.deadLetters()).toHaveLength(poison.length + 1);
        expect(consumer.health().up).toBe(true);
      });

      it('of dead leaves the message in place while it cannot be moved', async () => {
        const inbox = new Inbox((message) =>
          decodeTaskMessage(message).ok ? done : { type: 'dead', reason: 'cannot be read' },
        );
        await consume(inbox.handler);
        const mend = await broker.breakDeadLetters();
        await publishRaw('1', 'poison');
        await publish(buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === 2);
        expect(inbox.tasksOf('1')).toEqual(['poison', 'poison']);
        await mend();
        await inbox.until(({ messages }) => messages.some((message) => decodeTaskMessage(message).ok));
        expect(await broker.deadLetters()).toHaveLength(1);
      });
    });

    describe('a pause', () => {
      it('lets nothing through after the message in hand, until resume', async () => {
        const inbox: Inbox = new Inbox((_, times) => {
          if (inbox.messages.length === 1 && times === 1) {
            consumer.pause();
            consumer.pause();
          }
          return done;
        });
        const consumer = await consume(inbox.handler);
        await publish(...['1', '2', '3', '4'].map((document) => buildMessage(document)));
        await inbox.until(({ messages }) => messages.length === 1);
        await idle(contract.pickupMs * 2);
        expect(inbox.messages).toHaveLength(1);
        consumer.resume();
        consumer.resume();
        await inbox.until(({ messages }) => messages.length === 4);
      });

      it('of a consumer with a message put off brings it again after resume', async () => {
        const inbox: Inbox = new Inbox((_, times) => {
          if (times > 1) return done;
          consumer.pause();
          setTimeout(() => consumer.resume(), 50);
          return later;
        });
        const consumer = await consume(inbox.handler);
        await publish(buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === 2);
      });
    });

    describe('stopping', () => {
      it('waits for the message in hand, which is then done with', async () => {
        let finish: () => void = () => undefined;
        const inbox = new Inbox(async () => {
          await new Promise<void>((resolve) => (finish = resolve));
          return done;
        });
        const consumer = await consume(inbox.handler);
        await publish(buildMessage('1'), buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === 1);
        const stopping = consumer.stop();
        finish();
        await stopping;
        await consumer.stop();
        const next = acceptingInbox();
        await consume(next.handler);
        await next.until(({ messages }) => messages.length >= 1);
        expect(next.tasksOf('1')[0]).not.toBe(inbox.tasksOf('1')[0]);
      });

      it('brings nothing more, and leaves the group to others at once', async () => {
        const inbox = acceptingInbox();
        const consumer = await consume(inbox.handler);
        await publish(buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === 1);
        await consumer.stop();
        const next = acceptingInbox();
        await consume(next.handler);
        const sentAt = performance.now();
        await publish(buildMessage('1'));
        await next.until(({ messages }) => messages.length === 1);
        expect(performance.now() - sentAt).toBeLessThan(5_000);
        expect(inbox.messages).toHaveLength(1);
      });

      it('ends also while paused', async () => {
        const inbox = acceptingInbox();
        const consumer = await consume(inbox.handler);
        consumer.pause();
        await publish(buildMessage('1'));
        await consumer.stop();
        expect(inbox.messages).toHaveLength(0);
      });
    });

    if (contract.servesProcesses) describeProcesses();

    function describeProcesses(): void {
      describe('a process that is killed', () => {
        it('loses nothing of what it had in hand', async () => {
          const doomed = await broker.startProcess(ConsumerGroup.Index, 'hang');
          const message = buildMessage('1');
          await publish(message);
          await doomed.receives(1);
          await doomed.kill();
          const inbox = acceptingInbox();
          await consume(inbox.handler);
          await inbox.until(({ messages }) => messages.length === 1);
          expect(inbox.tasksOf('1')).toEqual([message.value.taskId]);
        });

        it('leaves its share to the others', async () => {
          const other = await broker.startProcess(ConsumerGroup.Index, 'accept');
          const inbox = acceptingInbox();
          await consume(inbox.handler);
          const documents = Array.from({ length: 20 }, (_, n) => String(n + 1));
          while (inbox.messages.length === 0 || other.received.length === 0) {
            await publish(...documents.map((document) => buildMessage(document)));
          }
          await other.kill();
          const last = documents.map((document) => buildMessage(document));
          await publish(...last);
          await inbox.until((got) => last.every(({ key, value }) => got.tasksOf(key).includes(value.taskId)));
        });
      });
    }
  });
}

/** Time in which something must not happen. */
function idle(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
