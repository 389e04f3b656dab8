import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConsumerGroup, destinations, Topic } from '../../messaging/topic.js';
import { acceptingInbox, done, Inbox } from '../../testing/contract/inbox.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { PostgresQueueTestBroker } from '../../testing/contract/postgres-queue-broker.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { bossOn, queueSchema } from './boss-on.js';
import { ensureQueues } from './ensure-queues.js';

const deadlineMs = 3_000;

describe('a queue in the database', () => {
  let test: TestDatabase;
  let broker: PostgresQueueTestBroker;

  beforeAll(async () => {
    test = await openTestDatabase();
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    broker = await PostgresQueueTestBroker.open(test);
  });

  afterEach(() => broker.close());

  it('keeps a message that was sent inside a transaction exactly if it commits', async () => {
    const publish = (fails: boolean): Promise<void> =>
      test.database.transaction(async (transaction) => {
        await broker.publisher.publish([buildMessage('1')], { transaction, deadlineMs });
        if (fails) throw new Error('rolled back on purpose');
      });
    await expect(publish(true)).rejects.toThrow('rolled back on purpose');
    expect(await broker.stored(Topic.BuildIndex)).toBe(0);
    await publish(false);
    expect(await broker.stored(Topic.BuildIndex)).toBe(1);
  });

  it('brings a message only after its transaction has committed, and then at once', async () => {
    const inbox = acceptingInbox();
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    let committedAt = 0;
    await test.database.transaction(async (transaction) => {
      await broker.publisher.publish([buildMessage('1')], { transaction, deadlineMs });
      await transaction.query('select 1');
      expect(inbox.messages).toHaveLength(0);
      committedAt = performance.now();
    });
    await inbox.until(({ messages }) => messages.length === 1);
    expect(performance.now() - committedAt).toBeLessThan(300);
    await consumer.stop();
  });

  it('refuses a send beside the open transaction instead of waiting for ever', async () => {
    const publishing = test.database.transaction(() => broker.publisher.publish([buildMessage('1')], { deadlineMs }));
    await expect(publishing).rejects.toThrow('beside the open transaction');
  });

  it('refuses a send whose queue is missing', async () => {
    await bossOn(test.database).deleteQueue(`${broker.options.prefix}-${Topic.BuildIndex}`);
    await expect(broker.publisher.publish([buildMessage('1')], { deadlineMs })).rejects.toMatchObject({
      code: 'BROKER_UNAVAILABLE',
    });
  });

  it('keeps a message from others for as long as its handler works', async () => {
    const longerThanHold = broker.options.holdSeconds * 1_500;
    const inbox = new Inbox(async () => {
      await new Promise((resolve) => setTimeout(resolve, longerThanHold));
      return done;
    });
    const other = acceptingInbox();
    const consumers = [broker.consumers.create(ConsumerGroup.Index), broker.consumers.create(ConsumerGroup.Index)];
    await consumers[0]?.start(inbox.handler);
    await broker.publisher.publish([buildMessage('1')], { deadlineMs });
    await inbox.until(({ messages }) => messages.length === 1);
    await consumers[1]?.start(other.handler);
    while ((await broker.stored(Topic.BuildIndex)) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(other.messages).toHaveLength(0);
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });

  it('gives a message to others once its holder has fallen silent', async () => {
    const silent = new Inbox(() => new Promise(() => undefined));
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(silent.handler);
    const message = buildMessage('1');
    await broker.publisher.publish([message], { deadlineMs });
    await silent.until(({ messages }) => messages.length === 1);
    await consumer.stop();
    const inbox = acceptingInbox();
    const other = broker.consumers.create(ConsumerGroup.Index);
    await other.start(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 1);
    expect(inbox.tasksOf('1')).toEqual([message.value.taskId]);
    await other.stop();
  });

  it('reads what a foreign program left in it as a message that can be judged', async () => {
    const queue = `${broker.options.prefix}-${Topic.BuildIndex}`;
    const boss = bossOn(test.database);
    for (const data of [{ a: 1 }, { value: 7, headers: {} }, { value: 'x', headers: { n: 1, s: 'text' } }]) {
      await boss.send(queue, data);
    }
    const inbox = acceptingInbox();
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 3);
    await consumer.stop();
    expect(inbox.messages.map(({ value, headers }) => [value?.toString(), headers])).toEqual([
      ['{"a":1}', {}],
      ['{"value":7,"headers":{}}', {}],
      ['x', { s: 'text' }],
    ]);
  });

  it('forgets what nobody read for its whole time, and nothing else', async () => {
    await broker.publisher.publish([buildMessage('1'), buildMessage('2')], { deadlineMs });
    await test.database.query(
      `update ${queueSchema}.job set keep_until = now() - interval '1 second'
        where name = $1 and singleton_key = '1'`,
      [`${broker.options.prefix}-${Topic.BuildIndex}`],
    );
    await bossOn(test.database).maintain();
    expect(await broker.stored(Topic.BuildIndex)).toBe(1);
  });

  it('is set up by many at once', async () => {
    const options = { prefix: `${broker.options.prefix}-again` };
    await Promise.all(Array.from({ length: 4 }, () => ensureQueues(test.database, options)));
    const queues = await bossOn(test.database).getQueues();
    expect(queues.filter(({ name }) => name.startsWith(options.prefix))).toHaveLength(destinations.length);
  });
});
