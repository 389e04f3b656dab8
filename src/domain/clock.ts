/** A time of day. Whatever several processes compare is the database's. */
export interface Clock {
  /** ms since 1970-01-01 UTC. */
  now(): number;
}

/** What the machine's clock says, which somebody may set at any moment. */
export const systemClock: Clock = { now: () => Date.now() };
