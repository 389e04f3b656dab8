import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, TransactionContext } from '../database/database.js';

/** A lock that a test takes, and how many sessions have to wait before it lets go. */
export interface TestLock {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly waiters: number;
  /** What whoever holds the lock does while they wait. */
  readonly meanwhile?: (tx: TransactionContext) => Promise<unknown>;
}

/** Begins work while a lock is held, lets go once so many sessions wait, and gives what came of the work. */
export async function whileLocked<T>(
  database: Database,
  { sql, parameters, waiters, meanwhile }: TestLock,
  work: () => Promise<T>,
): Promise<T> {
  // Not within the transaction: it would see the same picture again and again, and the work would be part of it.
  const outside = AsyncLocalStorage.snapshot();
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const begun = await database.transaction(async (tx) => {
    await tx.query(sql, parameters);
    const result = outside(() => Promise.allSettled([work()]));
    while ((await outside(() => database.query(waiting))).length < waiters) await pause(10);
    await meanwhile?.(tx);
    return { result };
  });
  const [settled] = await begun.result;
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
