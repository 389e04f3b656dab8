import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { OutboxBench, RecordingPublisher } from '../testing/outbox-bench.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';

describe('several relays of one outbox', () => {
  let test: TestDatabase;
  let bench: OutboxBench;

  beforeAll(async () => {
    test = await openTestDatabase({ on: 'postgres' });
    bench = new OutboxBench(test.database);
  });

  afterAll(() => test.close());

  beforeEach(() => bench.clear());

  it('send each message once, and those of a document in order', async () => {
    const messages = Array.from({ length: 400 }, (_, n) => bench.message(String((n % 50) + 1)));
    await bench.append(...messages);
    const publisher = new RecordingPublisher();
    publisher.onPublish = () => new Promise((resolve) => setTimeout(resolve, 5));
    const drain = async (): Promise<void> => {
      const relay = bench.relay(publisher);
      while (publisher.sent.length < messages.length) await relay.runOnce();
    };
    await Promise.all([drain(), drain(), drain(), drain()]);
    expect(publisher.sent).toHaveLength(messages.length);
    for (const document of new Set(messages.map(({ key }) => key))) {
      const of = (list: typeof messages) => list.filter(({ key }) => key === document).map(({ value }) => value.taskId);
      expect(of(publisher.sent)).toEqual(of(messages));
    }
  });

  it('skip no row whose transaction ends after that of a later one', async () => {
    const publisher = new RecordingPublisher();
    const relay = bench.relay(publisher);
    const early = bench.message('1');
    const late = bench.message('2');
    let commit: () => void = () => undefined;
    let appended: () => void = () => undefined;
    const isAppended = new Promise<void>((resolve) => (appended = resolve));
    const slow = test.database.transaction(async (tx) => {
      await bench.outbox.append(tx, [early]);
      appended();
      await new Promise<void>((resolve) => (commit = resolve));
    });
    await isAppended;
    await bench.append(late);
    await relay.runOnce();
    commit();
    await slow;
    await relay.runOnce();
    expect(publisher.sent).toEqual([late, early]);
  });

  it('send again what one that was killed had sent and not yet marked', async () => {
    const message = bench.message('1');
    await bench.append(message);
    const program = fileURLToPath(new URL('../testing/processes/relay-and-hang.ts', import.meta.url));
    const loader = new URL('../../ts-loader.mjs', import.meta.url).href;
    const child = fork(program, [JSON.stringify(test.connection)], { execArgv: ['--no-warnings', '--import', loader] });
    const exited = once(child, 'exit');
    expect((await once(child, 'message'))[0]).toBe('1');
    const publisher = new RecordingPublisher();
    expect(await bench.relay(publisher).runOnce()).toEqual({ sent: 0, postponed: 0, failed: 0 });
    child.kill('SIGKILL');
    await exited;
    while (publisher.sent.length === 0) await bench.relay(publisher).runOnce();
    expect(publisher.sent).toEqual([message]);
  });
});
