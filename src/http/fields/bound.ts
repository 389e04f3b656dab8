import type { LimitName, RequestLimits } from '../request-limits.js';

/** A bound that is fixed, or the name of a configured one. */
export type Bound = number | LimitName;

let inForce: RequestLimits | undefined;

/**
 * Runs one synchronous validation with the configured limits in force. class-validator hands its validators nothing but
 * the value, so that the limits have to stand beside them for the length of the pass.
 */
export function withLimits<T>(limits: RequestLimits, pass: () => T): T {
  const before = inForce;
  inForce = limits;
  try {
    return pass();
  } finally {
    inForce = before;
  }
}

/** The number behind a bound. */
export function numberOf(bound: Bound): number {
  if (typeof bound === 'number') return bound;
  if (!inForce) throw new Error(`the limit ${bound} is asked for outside of a validation`);
  return inForce[bound];
}
