import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '../domain/clock.js';
import { silentLogger } from '../logging/logger.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { NodeLease, nodeLeaseTimes } from './node-lease.js';

let test: TestDatabase;
const open: NodeLease[] = [];

beforeAll(async () => {
  test = await openTestDatabase();
}, 60_000);
afterAll(() => test.close());
beforeEach(() => test.database.query('delete from node_lease'));
afterEach(async () => {
  for (const lease of open.splice(0)) await lease.stop();
});

function lease(clock: Clock = systemClock): NodeLease {
  const made = new NodeLease(test.database, clock, silentLogger);
  open.push(made);
  return made;
}

const nodeOf = (id: string): number => Number((BigInt(id) >> 12n) & 1_023n);
const endLease = (node: number | undefined): Promise<unknown> =>
  test.database.query(`update node_lease set leased_until = clock_timestamp() - interval '1 s' where node = $1`, [
    node,
  ]);

describe('NodeLease', () => {
  it('gives every process that starts at once a number of its own', async () => {
    const leases = Array.from({ length: 40 }, () => lease());
    await Promise.all(leases.map((each) => each.start()));
    expect(new Set(leases.map((each) => each.node)).size).toBe(40);
    expect(nodeOf(leases[0]?.next() ?? '0')).toBe(leases[0]?.node);
  });

  it('takes the number that has rested longest once all were used', async () => {
    await test.database.query(
      `insert into node_lease select n, 'past', clock_timestamp() - interval '1 h' from generate_series(0, 1023) n`,
    );
    await test.database.query(`update node_lease set leased_until = leased_until - interval '1 day' where node = 517`);
    const next = lease();
    await next.start();
    expect(next.node).toBe(517);
  });

  it('refuses to start when all numbers are taken', async () => {
    await test.database.query(
      `insert into node_lease select n, 'others', clock_timestamp() + interval '1 h' from generate_series(0, 1023) n`,
    );
    await expect(lease().start()).rejects.toMatchObject({ name: 'StartRefusal' });
  });

  it('gives no ids when the lease ran out, and goes on with the same number when nobody took it', async () => {
    let now = Date.now();
    const held = lease({ now: () => now });
    await held.start();
    const node = held.node;
    now += nodeLeaseTimes.lease;
    expect(() => held.next()).toThrow('did not renew');
    await endLease(node);
    await held.beat();
    expect(held.node).toBe(node);
    expect(nodeOf(held.next())).toBe(node);
  });

  it('asks at once when the clock was set forward, and goes on', async () => {
    let now = Date.now();
    const held = lease({ now: () => now });
    await held.start();
    now += 3_600_000;
    await test.database.transaction(() => Promise.resolve(expect(() => held.next()).toThrow('did not renew')));
    await held.beat();
    expect(nodeOf(held.next())).toBe(held.node);
  });

  it('gives ids by the time of the database, whatever the clock of the machine says', async () => {
    const early = lease({ now: () => Date.now() - 3_600_000 });
    const late = lease({ now: () => Date.now() + 3_600_000 });
    await Promise.all([early.start(), late.start()]);
    for (let rounds = 0; rounds < 3; rounds += 1) {
      const first = BigInt(late.next());
      await new Promise((resolve) => setTimeout(resolve, 20));
      const second = BigInt(early.next());
      expect(second).toBeGreaterThan(first);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(BigInt(late.next())).toBeGreaterThan(second);
    }
  });

  it('changes the number when somebody else took it', async () => {
    const held = lease();
    await held.start();
    const node = held.node;
    await test.database.query(`update node_lease set holder = 'another' where node = $1`, [node]);
    await held.beat();
    expect(held.node).not.toBe(node);
    expect(nodeOf(held.next())).toBe(held.node);
  });

  it('is not fooled by a clock that is set back', async () => {
    let now = Date.now();
    const held = new NodeLease(test.database, { now: () => now }, silentLogger, { lease: 30, beat: 60_000 });
    open.push(held);
    await held.start();
    now -= 3_600_000;
    const until = performance.now() + 30;
    while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    expect(() => held.next()).toThrow();
  });

  it('gives the number back when it stops, and no ids afterwards', async () => {
    const held = lease();
    await held.start();
    const node = held.node;
    await held.stop();
    await held.stop();
    expect(() => held.next()).toThrow();
    const [row] = await test.database.query(
      'select leased_until <= clock_timestamp() as free from node_lease where node = $1',
      [node],
    );
    expect(row).toEqual({ free: true });
  });

  it('keeps the number by its heartbeat', async () => {
    const held = new NodeLease(test.database, systemClock, silentLogger, { lease: 10_000, beat: 5 });
    open.push(held);
    await held.start();
    const until = async (): Promise<string> => {
      const [row] = await test.database.query<{ at: string }>('select leased_until::text as at from node_lease');
      return row?.at ?? '';
    };
    const first = await until();
    while ((await until()) === first) await new Promise((resolve) => setImmediate(resolve));
  });
});
