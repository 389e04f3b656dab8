import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TaskLeaseRepository, type ClaimedTask } from '../database/repositories/task-lease-repository.js';
import { silentLogger } from '../logging/logger.js';
import { plantDocument, plantTask } from '../testing/factories.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { LeaseKeeper } from './lease-keeper.js';
import { TaskLost, WorkerStopping } from './work-result.js';

let db: TestDatabase;
let leases: TaskLeaseRepository;

beforeAll(async () => {
  db = await openTestDatabase({ on: 'postgres' });
  leases = new TaskLeaseRepository(db.database);
});
afterAll(() => db.close());

async function claimed(): Promise<ClaimedTask> {
  const outcome = await leases.claim(await plantTask(db.database, await plantDocument(db.database)), 'w', 1_000);
  if (outcome.type !== 'claimed') throw new Error(outcome.reason);
  return outcome.task;
}

const leaseOf = async ({ id }: ClaimedTask) =>
  (
    await db.database.query<{ ms: number }>(
      'select extract(epoch from lease_until - clock_timestamp()) * 1000 as ms from task where id = $1',
      [id],
    )
  )[0]?.ms;

describe('LeaseKeeper', () => {
  it('extends what is held and aborts only what was lost', async () => {
    const keeper = new LeaseKeeper(leases, 60_000, silentLogger);
    const [kept, lost] = [await claimed(), await claimed()];
    const [keptSignal, lostSignal] = [keeper.hold(kept), keeper.hold(lost)];
    await db.database.query('update task set attempt = attempt + 1 where id = $1', [lost.id]);
    await keeper.beat();
    expect(keptSignal.aborted).toBe(false);
    expect(Number(await leaseOf(kept))).toBeGreaterThan(50_000);
    expect(lostSignal.reason).toBeInstanceOf(TaskLost);
  });

  it('aborts a cancelled task at the next beat', async () => {
    const keeper = new LeaseKeeper(leases, 60_000, silentLogger);
    const task = await claimed();
    const signal = keeper.hold(task);
    await db.database.query('update task set task_status = 7, finished_at = now() where id = $1', [task.id]);
    await keeper.beat();
    expect(signal.reason).toBeInstanceOf(TaskLost);
  });

  it('leaves work alone that was dropped, and gives back the rest when the worker stops', async () => {
    const keeper = new LeaseKeeper(leases, 60_000, silentLogger);
    const [done, open] = [await claimed(), await claimed()];
    const [doneSignal, openSignal] = [keeper.hold(done), keeper.hold(open)];
    keeper.drop(done.id);
    keeper.giveBackAll();
    expect(doneSignal.aborted).toBe(false);
    expect(openSignal.reason).toBeInstanceOf(WorkerStopping);
  });
});
