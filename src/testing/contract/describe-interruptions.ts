import { describe, expect, it } from '@jest/globals';
import { ConsumerGroup } from '../../messaging/topic.js';
import { Inbox, acceptingInbox, done } from './inbox.js';
import { buildMessage, type MessagingBench } from './messaging-bench.js';

const later = { type: 'later', reason: 'not yet' } as const;

/** What a pause holds back. */
export function describePauses(bench: MessagingBench): void {
  describe('a pause', () => {
    it('lets nothing through after the message in hand, until resume', async () => {
      const inbox: Inbox = new Inbox((_, times) => {
        if (inbox.messages.length === 1 && times === 1) {
          consumer.pause();
          consumer.pause();
        }
        return done;
      });
      const consumer = await bench.consume(inbox.handler);
      await bench.publish(...['1', '2', '3', '4'].map((document) => buildMessage(document)));
      await inbox.until(({ messages }) => messages.length === 1);
      await idle(bench.contract.pickupMs * 2);
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
      const consumer = await bench.consume(inbox.handler);
      await bench.publish(buildMessage('1'));
      await inbox.until(({ messages }) => messages.length === 2);
    });
  });
}

/** What a stop waits for and leaves. */
export function describeStopping(bench: MessagingBench): void {
  describe('stopping', () => {
    it('waits for the message in hand, which is then done with', async () => {
      let finish: () => void = () => undefined;
      const inbox = new Inbox(async () => {
        await new Promise<void>((resolve) => (finish = resolve));
        return done;
      });
      const consumer = await bench.consume(inbox.handler);
      await bench.publish(buildMessage('1'), buildMessage('1'));
      await inbox.until(({ messages }) => messages.length === 1);
      const stopping = consumer.stop();
      finish();
      await stopping;
      await consumer.stop();
      const next = acceptingInbox();
      await bench.consume(next.handler);
      await next.until(({ messages }) => messages.length >= 1);
      expect(next.tasksOf('1')[0]).not.toBe(inbox.tasksOf('1')[0]);
    });

    it('brings nothing more, and leaves the group to others at once', async () => {
      const inbox = acceptingInbox();
      const consumer = await bench.consume(inbox.handler);
      await bench.publish(buildMessage('1'));
      await inbox.until(({ messages }) => messages.length === 1);
      await consumer.stop();
      const next = acceptingInbox();
      await bench.consume(next.handler);
      const sentAt = performance.now();
      await bench.publish(buildMessage('1'));
      await next.until(({ messages }) => messages.length === 1);
      expect(performance.now() - sentAt).toBeLessThan(5_000);
      expect(inbox.messages).toHaveLength(1);
    });

    it('ends also while paused', async () => {
      const inbox = acceptingInbox();
      const consumer = await bench.consume(inbox.handler);
      consumer.pause();
      await bench.publish(buildMessage('1'));
      await consumer.stop();
      expect(inbox.messages).toHaveLength(0);
    });
  });
}

/** What is left of a process that is killed. */
export function describeKilledProcesses(bench: MessagingBench): void {
  describe('a process that is killed', () => {
    it('loses nothing of what it had in hand', async () => {
      const doomed = await bench.broker.startProcess(ConsumerGroup.Index, 'hang');
      const message = buildMessage('1');
      await bench.publish(message);
      await doomed.receives(1);
      await doomed.kill();
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 1);
      expect(inbox.tasksOf('1')).toEqual([message.value.taskId]);
    });

    it('leaves its share to the others', async () => {
      const other = await bench.broker.startProcess(ConsumerGroup.Index, 'accept');
      const inbox = acceptingInbox();
      await bench.consume(inbox.handler);
      const documents = Array.from({ length: 20 }, (_, n) => String(n + 1));
      while (inbox.messages.length === 0 || other.received.length === 0) {
        await bench.publish(...documents.map((document) => buildMessage(document)));
      }
      await other.kill();
      const last = documents.map((document) => buildMessage(document));
      await bench.publish(...last);
      await inbox.until((got) => last.every(({ key, value }) => got.tasksOf(key).includes(value.taskId)));
    });
  });
}

/** Time in which something must not happen. */
function idle(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
