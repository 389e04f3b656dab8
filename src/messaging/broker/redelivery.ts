const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** How long a message that was put off rests, in ms. @param times how often in a row it had been put off before. */
export function redeliveryPauseMs(times: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(times, 10));
}
