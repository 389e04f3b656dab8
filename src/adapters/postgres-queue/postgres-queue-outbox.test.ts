import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboxStatus } from '../../database/repositories/outbox-repository.js';
import { Topic } from '../../messaging/topic.js';
import { PostgresQueueTestBroker } from '../../testing/contract/postgres-queue-broker.js';
import { OutboxBench } from '../../testing/outbox-bench.js';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { queueSchema } from './boss-on.js';

describe('the outbox in front of a queue in the same database', () => {
  let test: TestDatabase;
  let bench: OutboxBench;
  let broker: PostgresQueueTestBroker;

  beforeAll(async () => {
    test = await openTestDatabase();
    bench = new OutboxBench(test.database);
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    broker = await PostgresQueueTestBroker.open(test);
    await bench.clear();
  });

  afterEach(() => broker.close());

  /** Makes every write of a table fail that fulfils the condition, until the returned function is called. */
  const refuse = async (table: string, writes: string, condition: string): Promise<() => Promise<void>> => {
    await test.database.query(
      `create function refuse() returns trigger language plpgsql as
         $$ begin if ${condition} then raise exception 'refused by the test'; end if; return new; end $$`,
    );
    await test.database.query(
      `create trigger refuse before ${writes} on ${table} for each row execute function refuse()`,
    );
    return async () => {
      await test.database.query('drop function refuse cascade');
    };
  };

  it('marks a message and stores it in one transaction', async () => {
    await bench.append(bench.message('1'));
    const relay = bench.relay(broker.publisher);
    const allow = await refuse('outbox', 'update', 'new.status = 2');
    expect(await relay.runOnce()).toEqual({ sent: 0, postponed: 1, failed: 0 });
    expect(await broker.stored(Topic.ParseDocument)).toBe(0);
    await allow();
    await bench.hurry();
    expect(await relay.runOnce()).toEqual({ sent: 1, postponed: 0, failed: 0 });
    expect(await broker.stored(Topic.ParseDocument)).toBe(1);
  });

  it('gets past a row that breaks the transaction it is sent in', async () => {
    await bench.append(...['11', '12', '13', '14'].map((document) => bench.message(document)));
    const allow = await refuse(`${queueSchema}.job`, 'insert', `new.singleton_key = '13'`);
    expect(await bench.relay(broker.publisher).runOnce()).toEqual({ sent: 3, postponed: 1, failed: 0 });
    await allow();
    expect(await broker.stored(Topic.ParseDocument)).toBe(3);
    expect(await bench.rows()).toMatchObject([
      { key: '11', status: OutboxStatus.Sent },
      { key: '12', status: OutboxStatus.Sent },
      { key: '13', status: OutboxStatus.Pending, tries: 1, reason: 'refused by the test' },
      { key: '14', status: OutboxStatus.Sent },
    ]);
  });
});
