/** Bounds of automatic retries. */
export interface RetryPolicy {
  readonly retryDelayMs: number;
  readonly retryDelayMaxMs: number;
}

/**
 * Delay in ms before the next attempt after `retryCount` earlier retries: doubles each time up to the cap, and then loses
 * up to half at random, so that tasks that failed together do not come back together.
 */
export function retryDelay(policy: RetryPolicy, retryCount: number, random: () => number): number {
  const full = Math.min(policy.retryDelayMaxMs, policy.retryDelayMs * 2 ** Math.min(retryCount, 40));
  return Math.round(full * (1 - random() / 2));
}
