import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { OutboxStatus } from '../../database/repositories/outbox-repository.js';
import { Topic } from '../../messaging/topic.js';
import { OutboxBench } from '../outbox-bench.js';
import { openTestDatabase } from '../test-database.js';
import { Inbox, acceptingInbox, done } from './inbox.js';
import { buildMessage } from './messaging-bench.js';
import { OutageBench, sendMs, type OutageContract, type StruckServer } from './outage-bench.js';

/** What the clock of a busy machine may add. */
const slackMs = 700;

/** What every broker adapter promises of a broker that hangs, dies and comes back, and of members that come and go. */
export function describeOutages<S extends StruckServer>(name: string, contract: OutageContract<S>): void {
  describe(`${name} that fails`, () => {
    const bench = new OutageBench(contract);
    describeSends(bench);
    describeReturns(bench);
    describeBounds(bench);
    describeMembers(bench);
  });
}

function describeSends(bench: OutageBench<StruckServer>): void {
  it('makes every send give up at its deadline while it hangs, and takes sends again afterwards', async () => {
    await bench.publisher.start();
    await bench.publishUntilStored(buildMessage('1'));
    bench.server.hang();
    const during = await Promise.all(Array.from({ length: 20 }, (_, n) => bench.attempt(buildMessage(String(n)))));
    for (const { error, ms } of during) {
      expect(error).toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      expect(ms).toBeLessThan(sendMs + slackMs);
    }
    expect(bench.publisher.health().up).toBe(false);
    bench.server.wake();
    await bench.publishUntilStored(buildMessage('1'));
    await Promise.all(Array.from({ length: 20 }, (_, n) => bench.publishUntilStored(buildMessage(String(n)))));
    expect(bench.publisher.health().up).toBe(true);
  });

  it('has stored everything that it acknowledged, though it hung for a while amid the sends', async () => {
    await bench.publisher.start();
    await bench.publishUntilStored(buildMessage('1'));
    const acknowledged: string[] = [];
    const send = async (): Promise<void> => {
      const message = buildMessage('1');
      if ((await bench.attempt(message)).stored) acknowledged.push(message.value.taskId);
    };
    // When it wakes, the first send has given up, and the second waits over the same connection.
    bench.server.hang();
    const woken = pause(sendMs * 1.15).then(() => bench.server.wake());
    const sends: Promise<void>[] = [];
    for (let n = 0; n < 20; n += 1) {
      sends.push(send());
      await pause(sendMs / 4);
    }
    await woken;
    await Promise.all(sends);
    await bench.publishUntilStored(buildMessage('1'));
    expect(acknowledged.length).toBeGreaterThan(10);
    const stored = (await bench.broker.readAll(Topic.BuildIndex)).map(({ value }) => String(value));
    expect(acknowledged.filter((id) => !stored.some((value) => value.includes(id)))).toEqual([]);
  });

  it('gets a long outbox in order per document once it is back', async () => {
    const test = await openTestDatabase();
    try {
      const outbox = new OutboxBench(test.database);
      await bench.publisher.start();
      const relay = outbox.relay(bench.publisher);
      bench.server.hang();
      const messages = Array.from({ length: 600 }, (_, n) => outbox.message(String((n % 120) + 1)));
      await outbox.append(...messages);
      relay.start();
      while (!(await outbox.rows()).some(({ reason }) => reason !== null)) await pause(50);
      bench.server.wake();
      while ((await outbox.rows()).some(({ status }) => status === OutboxStatus.Pending)) await pause(100);
      await relay.stop();
      const stored = (await bench.broker.readAll(Topic.ParseDocument)).map(({ headers }) => headers['x-task-id']);
      for (const document of new Set(messages.map(({ key }) => key))) {
        const sent = messages.filter(({ key }) => key === document).map(({ value }) => value.taskId);
        expect([...new Set(stored.filter((id) => sent.includes(id ?? '')))]).toEqual(sent);
      }
    } finally {
      await test.close();
    }
  });
}

function describeReturns(bench: OutageBench<StruckServer>): void {
  it('makes sends fail quickly while it is dead, and delivers again once it is back', async () => {
    await bench.publisher.start();
    const inbox = acceptingInbox();
    const consumer = await bench.consume(inbox.handler);
    await bench.publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    await bench.server.kill();
    const first = await bench.attempt(buildMessage('1'));
    expect(first.error).toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    expect(first.ms).toBeLessThan(sendMs + slackMs);
    while (!bench.publisher.health().detail?.includes('ECONNREFUSED') || consumer.health().up) await pause(50);
    expect((await bench.attempt(buildMessage('1'))).ms).toBeLessThan(sendMs / 4);
    await bench.server.start();
    const last = buildMessage('1');
    await bench.publishUntilStored(last);
    await inbox.until((got) => got.tasksOf('1').includes(last.value.taskId));
    while (!consumer.health().up) await pause(50);
  });

  it('does not keep publisher and consumer from starting while it is dead', async () => {
    await bench.server.kill();
    await bench.publisher.start();
    const inbox = acceptingInbox();
    const consumer = await bench.consume(inbox.handler);
    expect(await bench.attempt(buildMessage('1'))).toMatchObject({ error: { code: 'BROKER_UNAVAILABLE' } });
    const { up, detail } = bench.publisher.health();
    expect({ up, detail }).toEqual({ up: false, detail: expect.stringContaining('does not answer') });
    expect(consumer.health().up).toBe(false);
    await bench.server.start();
    await bench.publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    while (!consumer.health().up) await pause(50);
  });

  it('gets its consumers back after it hung for longer than it keeps a member', async () => {
    await bench.publisher.start();
    const inbox = acceptingInbox();
    await bench.consume(inbox.handler);
    await bench.publishUntilStored(buildMessage('1'));
    await inbox.until(({ messages }) => messages.length > 0);
    bench.server.hang();
    await pause(bench.contract.memberMs * 1.5);
    bench.server.wake();
    const last = buildMessage('1');
    await bench.publishUntilStored(last);
    await inbox.until((got) => got.tasksOf('1').includes(last.value.taskId));
  });
}

function describeBounds(bench: OutageBench<StruckServer>): void {
  it('does not keep whoever asks for the lag waiting, while it hangs and while it is dead', async () => {
    await bench.publisher.start();
    await bench.publishUntilStored(buildMessage('1'));
    const { consumers } = bench.broker;
    const givesUp = async (): Promise<void> => {
      const startedAt = performance.now();
      await expect(consumers.lag(sendMs)).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
      expect(performance.now() - startedAt).toBeLessThan(sendMs + slackMs);
    };
    bench.server.hang();
    await givesUp();
    bench.server.wake();
    expect((await consumers.lag(10_000)).get(Topic.BuildIndex)).toBe(1);
    await bench.server.kill();
    await givesUp();
  });

  it('does not keep publisher and consumer from stopping in bounded time while it hangs', async () => {
    await bench.publisher.start();
    const consumer = await bench.consume(() => Promise.resolve(done));
    while (!consumer.health().up) await pause(20);
    const sending = bench.attempt(buildMessage('1'));
    bench.server.hang();
    try {
      const startedAt = performance.now();
      await Promise.all([bench.publisher.stop(), consumer.stop()]);
      expect(performance.now() - startedAt).toBeLessThan(9_000);
    } finally {
      bench.server.wake();
    }
    await sending;
  });
}

function describeMembers(bench: OutageBench<StruckServer>): void {
  it('brings a message once though its handler takes longer than a silent member is kept', async () => {
    await bench.publisher.start();
    const inbox = new Inbox(async () => {
      if (inbox.messages.length === 1) await pause(bench.contract.memberMs * 1.5);
      return done;
    });
    await bench.publish(buildMessage('1'));
    await bench.publish(buildMessage('1'));
    await bench.consume(inbox.handler);
    await inbox.until(({ messages }) => messages.length === 2);
    expect(new Set(inbox.tasksOf('1')).size).toBe(2);
  });

  it('loses nothing when a member joins and leaves while messages are in hand', async () => {
    await bench.publisher.start();
    const slow = async () => {
      await pause(30);
      return done;
    };
    const [first, second] = [new Inbox(slow), new Inbox(slow)];
    const messages = Array.from({ length: 120 }, (_, n) => buildMessage(String(n % 10)));
    for (const message of messages) await bench.publish(message);
    await bench.consume(first.handler);
    await first.until((inbox) => inbox.messages.length === 10);
    const joining = await bench.consume(second.handler);
    await second.until((inbox) => inbox.messages.length === 10);
    await joining.stop();
    const got = (): Set<string> =>
      new Set([...first.messages, ...second.messages].map(({ headers }) => headers['x-task-id'] ?? ''));
    await first.until(() => got().size === messages.length);
  });
}
