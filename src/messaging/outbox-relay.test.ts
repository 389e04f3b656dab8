import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboxStatus } from '../database/repositories/outbox-repository.js';
import { AppError } from '../domain/errors.js';
import { TaskType } from '../domain/task/task-type.js';
import { OutboxBench, RecordingPublisher } from '../testing/outbox-bench.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { MessageRefused } from './message-publisher.js';
import { Topic } from './topic.js';

const away = new AppError('BROKER_UNAVAILABLE', 'The broker is away.');

describe('OutboxRelay', () => {
  let test: TestDatabase;
  let bench: OutboxBench;
  let publisher: RecordingPublisher;

  beforeAll(async () => {
    test = await openTestDatabase();
    bench = new OutboxBench(test.database);
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    await bench.clear();
    publisher = new RecordingPublisher();
  });

  it('sends what a transaction left, as it was, and nothing of one that was rolled back', async () => {
    const message = bench.message('1');
    await bench.append(message);
    const undone = test.database.transaction(async (tx) => {
      await bench.outbox.append(tx, [bench.message('2')]);
      throw new Error('rolled back on purpose');
    });
    await expect(undone).rejects.toThrow('on purpose');
    expect(await bench.relay(publisher).runOnce()).toEqual({ sent: 1, postponed: 0, failed: 0 });
    expect(publisher.sent).toEqual([message]);
    expect(await bench.relay(publisher).runOnce()).toEqual({ sent: 0, postponed: 0, failed: 0 });
  });

  it('sends the messages of one document in order, one a round, beside those of others', async () => {
    const [first, second, other] = [bench.message('1'), bench.message('1'), bench.message('2')];
    await bench.append(first, second, other);
    const relay = bench.relay(publisher);
    expect((await relay.runOnce()).sent).toBe(2);
    expect(publisher.sent).toEqual([first, other]);
    expect((await relay.runOnce()).sent).toBe(1);
    expect(publisher.sent[2]).toEqual(second);
  });

  it('postpones what it cannot send while the broker is away, without blaming the messages', async () => {
    await bench.append(bench.message('1'), bench.message('2'));
    publisher.onPublish = () => Promise.reject(away);
    const relay = bench.relay(publisher);
    for (let round = 0; round < 20; round += 1) {
      expect(await relay.runOnce()).toEqual({ sent: 0, postponed: 2, failed: 0 });
      expect(await relay.runOnce()).toEqual({ sent: 0, postponed: 0, failed: 0 });
      await bench.hurry();
    }
    expect(await bench.rows()).toMatchObject([
      { status: OutboxStatus.Pending, tries: 0, reason: away.message },
      { status: OutboxStatus.Pending, tries: 0, reason: away.message },
    ]);
    publisher.onPublish = () => undefined;
    expect((await relay.runOnce()).sent).toBe(2);
  });

  it('sets a message aside that is refused again and again, and lets all others pass', async () => {
    const poison = bench.message('1');
    const behind = bench.message('1');
    await bench.append(poison, behind, bench.message('2'), bench.message('3'));
    publisher.onPublish = (messages) => {
      if (messages.some(({ value }) => value.taskId === poison.value.taskId)) throw new MessageRefused('too large');
    };
    const relay = bench.relay(publisher);
    expect(await relay.runOnce()).toEqual({ sent: 2, postponed: 1, failed: 0 });
    let failed = 0;
    for (let tries = 2; failed === 0; tries += 1) {
      await bench.hurry();
      expect(tries).toBeLessThan(30);
      ({ failed } = await relay.runOnce());
      expect(publisher.sent).toHaveLength(2);
    }
    expect((await bench.rows())[0]).toMatchObject({ status: OutboxStatus.Failed, reason: 'too large' });
    expect((await relay.runOnce()).sent).toBe(1);
    expect(publisher.sent[2]).toEqual(behind);
  });

  it('waits longer before each further try', async () => {
    await bench.append(bench.message('1'));
    publisher.onPublish = () => Promise.reject(new MessageRefused('too large'));
    const relay = bench.relay(publisher);
    const waits: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      await bench.hurry();
      await relay.runOnce();
      const [row] = await test.database.query<{ ms: number }>(
        'select (extract(epoch from next_try_at - clock_timestamp()) * 1000)::float as ms from outbox',
      );
      waits.push(Math.round((row?.ms ?? 0) / 250) * 250);
    }
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  it('is not held up by a topic that is missing, or that it does not know', async () => {
    const unknown = { ...bench.message('9'), topic: 'document-translate' as Topic };
    await bench.append(unknown, bench.message('1', TaskType.BuildIndex), bench.message('2'));
    publisher.onPublish = ([first]) => (first?.topic === Topic.BuildIndex ? Promise.reject(away) : undefined);
    expect(await bench.relay(publisher).runOnce()).toEqual({ sent: 1, postponed: 2, failed: 0 });
    expect(publisher.sent.map(({ key }) => key)).toEqual(['2']);
  });

  it('refuses a row that points at no task', async () => {
    await bench.append({ ...bench.message('1'), value: { documentId: '1' } as never });
    await bench.relay(publisher).runOnce();
    expect(await bench.rows()).toMatchObject([{ tries: 1, reason: 'taskId is not an id string' }]);
    expect(publisher.sent).toEqual([]);
  });

  it('holds its rows for no longer than one send may take', async () => {
    const poison = bench.message('1');
    await bench.append(poison, bench.message('2'), bench.message('3'), bench.message('4'));
    publisher.onPublish = async (messages) => {
      if (messages.length > 1) throw new MessageRefused('one of them is too large');
      await new Promise((resolve) => setTimeout(resolve, 400));
    };
    const { sent, postponed, failed } = await bench.relay(publisher).runOnce();
    expect(sent + postponed).toBe(4);
    expect(failed).toBe(0);
    // The deadline of one send is over before all four have had their 400 ms; each was given what was left of it.
    expect(sent).toBeGreaterThan(0);
    expect(postponed).toBeGreaterThan(0);
    expect(Math.min(...publisher.deadlines)).toBeLessThan(Math.max(...publisher.deadlines));
  });

  it('looks at once when it is woken, and sends nothing after it has stopped', async () => {
    const sent = new Promise<void>((resolve) => {
      publisher.onPublish = () => resolve();
    });
    const relay = bench.relay(publisher, 60_000);
    relay.start();
    await bench.append(bench.message('1'));
    relay.wake();
    await sent;
    await relay.stop();
    await relay.stop();
    expect(publisher.sent).toHaveLength(1);
    await bench.append(bench.message('2'));
    relay.wake();
    expect((await bench.rows()).at(-1)).toMatchObject({ key: '2', status: OutboxStatus.Pending });
    expect(relay.progressAgeMs()).toBeGreaterThanOrEqual(0);
  });

  it('drains a long outbox without waiting between rounds', async () => {
    await bench.append(...Array.from({ length: 350 }, (_, n) => bench.message(String(n + 1))));
    const drained = new Promise<void>((resolve) => {
      publisher.onPublish = (messages) => {
        if (publisher.sent.length + messages.length >= 350) resolve();
      };
    });
    const relay = bench.relay(publisher, 60_000);
    relay.start();
    await drained;
    await relay.stop();
    expect(publisher.sent).toHaveLength(350);
  });
});
