import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { TaskType } from '../../domain/task/task-type.js';
import { decodeTaskMessage, encodeValue } from '../../messaging/message-codec.js';
import { ConsumerGroup, lanesOf, Topic, topics } from '../../messaging/topic.js';
import { Inbox, TaskCount, acceptingInbox, done } from './inbox.js';
import { buildMessage, deadlineMs, type MessagingBench } from './messaging-bench.js';

/** Messages of one send of a flood. */
const sentAtOnce = 500;
/** How long such a send, and all of a flood, may take on a busy machine, in ms. */
const floodDeadlineMs = 20_000;
const floodBoundMs = 300_000;

/** What a publisher promises. */
export function describePublishing(bench: MessagingBench): void {
  describe('publishing', () => {
    it('resolves only when every message is stored', async () => {
      const messages = ['1', '2', '3', '4', '5'].map((document) => buildMessage(document));
      await bench.broker.publisher.publish(messages, { deadlineMs });
      expect(await bench.broker.stored(Topic.BuildIndex)).toBe(5);
    });

    it('takes many sends at once', async () => {
      const messages = Array.from({ length: 50 }, (_, n) => buildMessage(String(n + 1)));
      await Promise.all(messages.map((message) => bench.publish(message)));
      expect(await bench.broker.stored(Topic.BuildIndex)).toBe(50);
    });

    it('resolves for no message at all', async () => {
      await bench.broker.publisher.publish([], { deadlineMs });
      expect(await bench.broker.stored(Topic.BuildIndex)).toBe(0);
    });

    it('is up', () => {
      expect(bench.broker.publisher.health()).toMatchObject({ up: true });
    });
  });
}

/** What a flood leaves behind: nothing. */
export function describeFlood(bench: MessagingBench): void {
  const { flood = 10_000 } = bench.contract;

  describe('a flood', () => {
    it(
      `of ${flood} messages comes through, none lost, each document's in order`,
      async () => {
        const messages = Array.from({ length: flood }, (_, n) => buildMessage(String(n % 100)));
        const got = new TaskCount(flood);
        await bench.consume(got.handler);
        for (let from = 0; from < flood; from += sentAtOnce) {
          await bench.broker.publisher.publish(messages.slice(from, from + sentAtOnce), {
            deadlineMs: floodDeadlineMs,
          });
        }
        await got.all;
        for (let document = 0; document < 100; document += 1) {
          const sent = messages.filter(({ key }) => key === String(document)).map(({ value }) => value.taskId);
          expect(got.of(String(document))).toEqual(sent);
        }
      },
      floodBoundMs,
    );
  });
}

/** How far consumers are behind. */
export function describeLag(bench: MessagingBench): void {
  describe('the lag', () => {
    const lag = async () => Object.fromEntries(await bench.broker.consumers.lag(deadlineMs));
    const nothing = Object.fromEntries(topics.map((topic) => [topic, 0]));

    it('is none of any topic where nothing was sent', async () => {
      expect(await lag()).toEqual(nothing);
    });

    it('counts what was sent to each topic while nobody reads', async () => {
      for (const document of ['1', '2', '3', '4']) await bench.publish(buildMessage(document));
      await bench.publish(buildMessage('5', TaskType.RebuildIndex), buildMessage('6', TaskType.ParseDocument));
      const sent = { [Topic.BuildIndex]: 4, [Topic.RebuildIndex]: 1, [Topic.ParseDocument]: 1 };
      expect(await lag()).toEqual({ ...nothing, ...sent });
    });

    if (bench.contract.hidesInHand) return;

    it('goes when messages are acknowledged, and not while one is only in hand', async () => {
      let accept: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (accept = resolve));
      const inbox = new Inbox(() => gate.then(() => done));
      await bench.publish(buildMessage('1'), buildMessage('1', TaskType.RebuildIndex));
      await bench.consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 1);
      expect(await lag()).toEqual({ ...nothing, [Topic.BuildIndex]: 1, [Topic.RebuildIndex]: 1 });
      accept();
      while (Object.values(await lag()).some((count) => count > 0)) await pause(20);
      expect(inbox.messages).toHaveLength(2);
    });
  });
}

/** What reaches a consumer, when, and in which order. */
export function describeDelivery(bench: MessagingBench): void {
  describe('delivering', () => {
    it('brings what was sent before the first consumer started, bytes and headers intact', async () => {
      const message = { ...buildMessage('41'), headers: { ...buildMessage('41').headers, 'x-unknown': 'Größe 量' } };
      await bench.publish(message);
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 1);
      const [got] = inbox.messages;
      expect(got).toMatchObject({ topic: Topic.BuildIndex, key: '41', headers: message.headers });
      expect(got?.value?.toString()).toBe(encodeValue(message.value));
    });

    it('brings what a newer sender says, which is read all the same', async () => {
      const { key, value, headers } = buildMessage('43');
      const newer = { ...headers, 'x-schema-version': '2', 'x-not-known-yet': 'somehow', 'X-Case': 'Kept' };
      const bytes = Buffer.from(JSON.stringify({ ...value, notKnownYet: [1, { deep: true }] }));
      await bench.broker.sendForeign(Topic.BuildIndex, { key, value: bytes, headers: newer });
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 1);
      const [got] = inbox.messages;
      expect(got).toMatchObject({ key, headers: newer });
      expect(got && decodeTaskMessage(got)).toMatchObject({ ok: true, message: value });
    });

    it('brings back what had been moved aside, as it was', async () => {
      // Text, half a character, NUL, and what is in no alphabet.
      const bytes = Buffer.concat([Buffer.from('{"量'), Buffer.from([0xe9, 0x87, 0, 0xff, 0xfe])]);
      const returned = { topic: Topic.BuildIndex, key: '42', bytes, headers: { 'x-from': '量' } };
      await bench.broker.publisher.publish([returned], { deadlineMs: 5_000 });
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 1);
      const [got] = inbox.messages;
      expect(got).toMatchObject({ topic: Topic.BuildIndex, key: '42', headers: returned.headers });
      expect(got?.value).toEqual(bytes);
    });

    it('brings a message to an idle consumer at once', async () => {
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      await bench.publish(buildMessage('1'));
      await inbox.until(({ messages }) => messages.length === 1);
      // Each is sent when the consumer has just looked: one that only looked now and then would let all of them wait.
      const waits: number[] = [];
      for (let sent = 2; sent <= 6; sent += 1) {
        const sentAt = performance.now();
        await bench.publish(buildMessage('1'));
        await inbox.until(({ messages }) => messages.length === sent);
        waits.push(performance.now() - sentAt);
      }
      expect(Math.min(...waits)).toBeLessThan(bench.contract.pickupMs);
    });

    it('keeps the order of each key and handles one message at a time', async () => {
      const documents = ['1', '2', '3'];
      const messages = Array.from({ length: 30 }, (_, n) => buildMessage(documents[n % 3] ?? ''));
      const inbox = new Inbox(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return done;
      });
      await bench.broker.publisher.publish(messages.slice(0, 15), { deadlineMs });
      await bench.consume(inbox.handler);
      await bench.publish(...messages.slice(15));
      await inbox.until((got) => messages.every(({ key, value }) => got.tasksOf(key).includes(value.taskId)));
      for (const document of documents) {
        const sent = messages.filter(({ key }) => key === document).map(({ value }) => value.taskId);
        // A broker may keep a message twice; that comes in its order as well.
        expect([...new Set(inbox.tasksOf(document))]).toEqual(sent);
      }
      expect(inbox.mostInHand).toBe(1);
    });

    it('brings other groups nothing of it', async () => {
      const parses = acceptingInbox();
      await bench.consume(parses.handler, ConsumerGroup.Parse);
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      await bench.publish(buildMessage('1'), buildMessage('1', TaskType.ParseDocument));
      await parses.until(({ messages }) => messages.length === 1);
      await inbox.until(({ messages }) => messages.length === 1);
      expect(parses.messages.map(({ topic }) => topic)).toEqual([Topic.ParseDocument]);
      expect(inbox.messages.map(({ topic }) => topic)).toEqual([Topic.BuildIndex]);
    });

    it('brings each message once while nothing fails', async () => {
      const messages = Array.from({ length: 20 }, (_, n) => buildMessage(String(n % 4)));
      await bench.publish(...messages);
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      const last = buildMessage('0');
      await inbox.until((got) => got.messages.length >= messages.length);
      await bench.publish(last);
      await inbox.until((got) => got.tasksOf('0').includes(last.value.taskId));
      expect(inbox.messages).toHaveLength(messages.length + 1);
    });

    it.each([
      [ConsumerGroup.Parse, TaskType.ParseDocument, TaskType.ParseDocument],
      [ConsumerGroup.Index, TaskType.BuildIndex, TaskType.RebuildIndex],
      [ConsumerGroup.Delete, TaskType.DeleteIndex, TaskType.DeleteIndex],
    ])('lets what is in bulk wait while what people wait for is there (%s)', async (group, single, many) => {
      const batch = ['1', '2', '3', '4', '5', '6'].map((key) => buildMessage(key, many, TaskPriority.Bulk));
      const [interactive] = lanesOf(group);
      const inbox: Inbox = new Inbox(() => {
        // As a worker does whose slots are full for a while.
        consumer.pause();
        setTimeout(() => consumer.resume(), bench.contract.pickupMs / 2);
        return done;
      });
      const consumer = await bench.consume(inbox.handler, group);
      consumer.pause();
      await bench.publish(...batch, ...['7', '7', '7', '7'].map((key) => buildMessage(key, single)));
      consumer.resume();
      await inbox.until(({ messages }) => messages.length === 10);
      const order = inbox.messages.map(({ topic }) => topic);
      // One of the many may have had its turn before the first single one was there.
      expect(order.lastIndexOf(interactive)).toBeLessThanOrEqual(4);
    });
  });
}
