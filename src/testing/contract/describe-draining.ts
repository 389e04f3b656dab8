import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { silentLogger } from '../../logging/logger.js';
import { DrainedBroker } from '../../messaging/draining/drained-broker.js';
import type { Survey } from '../../messaging/draining/remainder.js';
import type { MessageConsumer } from '../../messaging/message-consumer.js';
import { ConsumerGroup, topics } from '../../messaging/topic.js';
import { acceptingInbox, TaskCount } from './inbox.js';
import { buildMessage, deadlineMs } from './messaging-bench.js';
import type { MessagingBroker } from './messaging-broker.js';

export interface DrainingContract<B extends MessagingBroker> {
  /** Opens an environment of three partitions in which nothing was ever sent. */
  open(): Promise<B>;
  /** As a process would look that was given that prefix, and another number of partitions. */
  surveyOf(broker: B, prefix: string): Survey;
  prefixOf(broker: B): string;
  /** True where the service itself makes what is missing. */
  readonly makesItsOwn?: true;
}

const surveyMs = 5_000;
const keys = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** What every broker does when it is left. */
export function describeDraining<B extends MessagingBroker>(name: string, contract: DrainingContract<B>): void {
  describe(`${name}, to which nothing is sent any more`, () => {
    let broker: B;
    let consumers: MessageConsumer[];

    beforeEach(async () => {
      consumers = [];
      broker = await contract.open();
    });
    afterEach(async () => {
      await Promise.all(consumers.map((each) => each.stop()));
      await broker.close();
    });

    const left = (prefix = contract.prefixOf(broker)): DrainedBroker =>
      new DrainedBroker(name, contract.surveyOf(broker, prefix), surveyMs, silentLogger);
    const opened = (from: Pick<DrainedBroker, 'create'>): MessageConsumer => {
      const consumer = from.create(ConsumerGroup.Index);
      consumers.push(consumer);
      return consumer;
    };
    const sum = async (from: DrainedBroker): Promise<number> =>
      [...(await from.lag(surveyMs)).values()].reduce((a, b) => a + b, 0);

    it('hands in what still lies there, in order per key, and tells when nothing does', async () => {
      const sent = [...keys, ...keys].map((key) => buildMessage(key));
      await broker.publisher.publish(sent, { deadlineMs });
      const drained = left();
      expect(await sum(drained)).toBe(sent.length);
      const count = new TaskCount(sent.length);
      await opened(drained).start(count.handler);
      await count.all;
      for (const key of keys) {
        const inOrder = sent.filter((message) => message.key === key).map(({ value }) => value.taskId);
        expect(count.of(key)).toEqual(inOrder);
      }
      while ((await sum(drained)) > 0);
      expect(drained.missing).toEqual([]);
    });

    it('is shared with those that still send to it', async () => {
      const drained = left();
      const sent = Array.from({ length: 60 }, (_, n) => buildMessage(String(n)));
      const count = new TaskCount(sent.length);
      await opened(broker.consumers).start(count.handler);
      await opened(drained).start(count.handler);
      for (const message of sent) await broker.publisher.publish([message], { deadlineMs });
      await count.all;
      while ((await sum(drained)) > 0);
    });

    it('is handed over between two that drain it, one after the other', async () => {
      const drained = left();
      const [first, second] = [acceptingInbox(), acceptingInbox()];
      await broker.publisher.publish(
        keys.map((key) => buildMessage(key)),
        { deadlineMs },
      );
      const before = opened(drained);
      await before.start(first.handler);
      await first.until(({ messages }) => messages.length === keys.length);
      await before.stop();
      await broker.publisher.publish(
        keys.map((key) => buildMessage(key)),
        { deadlineMs },
      );
      await opened(drained).start(second.handler);
      await second.until(({ messages }) => messages.length === keys.length);
    });

    it('is read also without a place for its dead letters', async () => {
      const restore = await broker.breakDeadLetters();
      const inbox = acceptingInbox();
      await broker.publisher.publish([buildMessage('1')], { deadlineMs });
      await opened(left()).start(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 1);
      await restore();
    });

    const unlessItMakesThem = contract.makesItsOwn ? it.skip : it;

    unlessItMakesThem('is left alone where it has nothing, which is told and no fault', async () => {
      const prefix = `test-${randomBytes(6).toString('hex')}`;
      const [drained, again] = [left(prefix), left(prefix)];
      const consumer = opened(drained);
      await consumer.start(acceptingInbox().handler);
      while (!consumer.health().up) await new Promise((resolve) => setImmediate(resolve));
      expect(consumer.health().detail).toBe('nothing of it is there');
      // Looked at anew, it has been given nothing.
      for (const each of [drained, again]) expect(await sum(each)).toBe(0);
      expect(again.missing.length).toBeGreaterThanOrEqual(topics.length);
      for (const missing of again.missing) expect(missing).toContain(prefix);
    });
  });
}
