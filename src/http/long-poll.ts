import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between two looks; a look is one cheap statement. */
const lookEveryMs = 250;

export interface LongPoll<T> {
  read(): Promise<T>;
  etag(state: T): string;
  /** Nothing will change any more. */
  isFinal(state: T): boolean;
  /** ETags that the caller knows; undefined if it named none, and then the first look is what must change. */
  known?: (etag: string) => boolean;
}

/**
 * Gives the state as soon as it is news to the caller, or as it is when the time is over.
 *
 * @throws AbortError when the caller goes away or the server stops.
 */
export async function longPoll<T>(poll: LongPoll<T>, waitMs: number, signal: AbortSignal): Promise<T> {
  const until = performance.now() + waitMs;
  const first = await poll.read();
  const firstTag = poll.etag(first);
  const known = poll.known ?? ((etag: string) => etag === firstTag);
  let state = first;
  while (known(poll.etag(state)) && !poll.isFinal(state)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) break;
    await sleep(Math.min(lookEveryMs, leftMs), undefined, { signal });
    state = await poll.read();
  }
  return state;
}
