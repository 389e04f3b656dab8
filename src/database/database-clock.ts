import { performance } from 'node:perf_hooks';
import type { Clock } from '../domain/clock.js';

/**
 * The database's time, carried on by the steady clock since it was last told. What this process's own clock says, and
 * whether somebody sets it, plays no part: processes on machines whose clocks differ agree on what came first.
 */
export class DatabaseClock implements Clock {
  /** The database's time less that of the steady clock, in ms. */
  private ahead: number | undefined;

  /** @param databaseMs what the database has just said. */
  set(databaseMs: number): void {
    this.ahead = databaseMs - performance.now();
  }

  now(): number {
    if (this.ahead === undefined) throw new Error('the database was not asked for its time yet');
    return Math.floor(performance.now() + this.ahead);
  }
}
