import type { Watched } from '../progress/task-watch.js';

export interface LongPoll<T> {
  read(): Promise<T>;
  etag(state: T): string;
  /** Nothing will change any more. */
  isFinal(state: T): boolean;
  /** Tells when it is worth looking again. Called before the first look, so that no change falls in between. */
  watch(): Watched;
  /** ETags that the caller knows; undefined if it named none, and then the first look is what must change. */
  known?: (etag: string) => boolean;
}

/**
 * Gives the state as soon as it is news to the caller, or as it is when the time is over.
 *
 * @throws AbortError when the caller goes away or the server stops.
 */
export async function longPoll<T>(poll: LongPoll<T>, waitMs: number, signal: AbortSignal): Promise<T> {
  if (waitMs === 0) return poll.read();
  const watched = poll.watch();
  try {
    return await untilNews(poll, watched, performance.now() + waitMs, signal);
  } finally {
    watched.close();
  }
}

async function untilNews<T>(poll: LongPoll<T>, watched: Watched, until: number, signal: AbortSignal): Promise<T> {
  let state = await poll.read();
  const firstTag = poll.etag(state);
  const known = poll.known ?? ((etag: string) => etag === firstTag);
  while (known(poll.etag(state)) && !poll.isFinal(state)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) break;
    await watched.next(leftMs, signal);
    state = await poll.read();
  }
  return state;
}
