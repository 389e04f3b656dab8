/** The time of this process, for ids, pauses and measurements. Leases and deadlines of rows use the database's time. */
export interface Clock {
  /** ms since 1970-01-01 UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
