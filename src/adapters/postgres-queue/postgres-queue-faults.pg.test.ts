import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fork } from 'node:child_process';
import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ConsumerGroup, destinations, Topic } from '../../messaging/topic.js';
import { acceptingInbox } from '../../testing/contract/inbox.js';
import { buildMessage } from '../../testing/contract/messaging-bench.js';
import { PostgresQueueTestBroker } from '../../testing/contract/postgres-queue-broker.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { queueSchema } from './boss-on.js';
import { ensureQueues } from './ensure-queues.js';

describe('a queue in a database that fails', () => {
  let test: TestDatabase;
  let broker: PostgresQueueTestBroker;

  beforeEach(async () => {
    test = await openTestDatabase({ on: 'postgres' });
    broker = await PostgresQueueTestBroker.open(test);
  });

  afterEach(async () => {
    await broker.close();
    await test.close();
  });

  it('makes a send give up at its deadline while the database does not answer', async () => {
    await test.database.transaction(async (transaction) => {
      await transaction.query(`lock table ${queueSchema}.job in access exclusive mode`);
      const startedAt = performance.now();
      const sending = otherContext(() => broker.publisher.publish([buildMessage('1')], { deadlineMs: 500 }));
      await expect(sending).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      expect(performance.now() - startedAt).toBeLessThan(1_200);
    });
  });

  it('does not keep whoever asks for the lag waiting while the database does not answer', async () => {
    await test.database.transaction(async (transaction) => {
      await transaction.query(`lock table ${queueSchema}.job in access exclusive mode`);
      const startedAt = performance.now();
      const asking = otherContext(() => broker.consumers.lag(500));
      await expect(asking).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      expect(performance.now() - startedAt).toBeLessThan(1_200);
    });
  });

  it('holds a message back that it was just taking when it was paused', async () => {
    const inbox = acceptingInbox();
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    consumer.pause();
    await broker.publisher.publish([buildMessage('1')], { deadlineMs: 3_000 });
    await test.database.transaction(async (transaction) => {
      // Looking is allowed, taking has to wait.
      await transaction.query(`lock table ${queueSchema}.job in exclusive mode`);
      consumer.resume();
      const waiting = `select 1 from pg_locks where relation = '${queueSchema}.job'::regclass and not granted`;
      while ((await transaction.query(waiting)).length === 0) await tick();
      consumer.pause();
    });
    const putBack = `select 1 from ${queueSchema}.job where singleton_key = '1' and state = 'retry'`;
    while ((await test.database.query(putBack)).length === 0) await tick();
    expect(inbox.messages).toHaveLength(0);
    consumer.resume();
    await inbox.until(({ messages }) => messages.length === 1);
    await consumer.stop();
  });

  it('goes on after every connection was lost', async () => {
    const inbox = acceptingInbox();
    const consumer = broker.consumers.create(ConsumerGroup.Index);
    await consumer.start(inbox.handler);
    await broker.publisher.publish([buildMessage('1')], { deadlineMs: 3_000 });
    await inbox.until(({ messages }) => messages.length === 1);
    await test.database
      .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
      .catch(() => undefined);
    const send = (): Promise<boolean> =>
      broker.publisher.publish([buildMessage('2')], { deadlineMs: 3_000 }).then(
        () => true,
        () => false,
      );
    while (!(await send())) await tick();
    await inbox.until(({ keys }) => keys.includes('2'));
    expect(consumer.health()).toMatchObject({ up: true });
    await consumer.stop();
  });

  it('is set up by many connections at once, from nothing', async () => {
    await test.database.query(`drop schema ${queueSchema} cascade`);
    const prefixes = ['a', 'b', 'c', 'd', 'a', 'b'];
    await Promise.all(
      prefixes.map((prefix) => ensureQueues(test.database, { prefix: `${broker.options.prefix}-${prefix}` })),
    );
    const queues = await test.database.query(`select 1 from ${queueSchema}.queue`);
    expect(queues).toHaveLength(4 * destinations.length);
  });

  it('lets each of several consumers take what the others have not', async () => {
    const inboxes = [acceptingInbox(), acceptingInbox(), acceptingInbox()];
    const consumers = inboxes.map(() => broker.consumers.create(ConsumerGroup.Index));
    const messages = Array.from({ length: 200 }, (_, n) => buildMessage(String(n % 40)));
    await broker.publisher.publish(messages, { deadlineMs: 5_000 });
    await Promise.all(consumers.map((consumer, n) => consumer.start(inboxes[n]?.handler ?? acceptingInbox().handler)));
    while ((await broker.stored(Topic.BuildIndex)) > 0) await tick();
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    const got = inboxes.flatMap((inbox) => inbox.messages.map(({ headers }) => headers['x-task-id']));
    expect(got).toHaveLength(200);
    expect(new Set(got).size).toBe(200);
  });

  it('lets a process end by itself once all has stopped', async () => {
    const program = fileURLToPath(new URL('../../testing/processes/start-and-stop-postgres-queue.ts', import.meta.url));
    const loader = new URL('../../../ts-loader.mjs', import.meta.url).href;
    const child = fork(program, [JSON.stringify(test.connection)], { execArgv: ['--no-warnings', '--import', loader] });
    const exited = once(child, 'exit');
    await once(child, 'message');
    const stoppedAt = performance.now();
    expect(await exited).toEqual([0, null]);
    expect(performance.now() - stoppedAt).toBeLessThan(2_000);
  });
});

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** Made outside of any transaction. */
const requests = new AsyncResource('requests');

/** Runs outside of the transaction that the caller is in, as another request would. */
function otherContext<T>(work: () => Promise<T>): Promise<T> {
  return requests.runInAsyncScope(work);
}
