import { describe, expect, it } from '@jest/globals';
import { InProcessSignal } from '../progress/in-process-signal.js';
import { TaskWatch } from '../progress/task-watch.js';
import { etagMatches, etagOf } from './etag.js';
import { longPoll } from './long-poll.js';

const never = new AbortController().signal;
const unheard = new TaskWatch(new InProcessSignal(false));

/** Gives one state after the other, and stays with the last. */
function states(...values: string[]) {
  let at = 0;
  return {
    reads: () => at,
    read: () => Promise.resolve(values[Math.min(at++, values.length - 1)] ?? ''),
    etag: (state: string) => state,
    isFinal: (state: string) => state === 'end',
    watch: () => unheard.watch('1'),
  };
}

describe('a long poll', () => {
  it('answers at once what the caller has not seen', async () => {
    const poll = states('b');
    expect(await longPoll({ ...poll, known: (etag) => etag === 'a' }, 10_000, never)).toBe('b');
    expect(poll.reads()).toBe(1);
  });

  it('waits for a change of what the caller has seen, or of the first look', async () => {
    expect(await longPoll({ ...states('a', 'a', 'b'), known: (etag) => etag === 'a' }, 10_000, never)).toBe('b');
    expect(await longPoll(states('a', 'a', 'c'), 10_000, never)).toBe('c');
  });

  it('answers at once when nothing will change any more, or when no time is given', async () => {
    expect(await longPoll(states('end'), 10_000, never)).toBe('end');
    const poll = states('a');
    expect(await longPoll(poll, 0, never)).toBe('a');
    expect(poll.reads()).toBe(1);
  });

  it('gives what is there when the time is over', async () => {
    const startedAt = performance.now();
    expect(await longPoll(states('a'), 300, never)).toBe('a');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(290);
  });

  it('ends when the caller goes away', async () => {
    const leaving = new AbortController();
    const waiting = longPoll(states('a'), 10_000, leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an ETag', () => {
  it('is matched by itself, strong or weak, in a list, and by a star', () => {
    const etag = etagOf({ a: 1 });
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const header of [etag, etag.slice(2), `"x", ${etag}`, '*']) expect(etagMatches(header, etag)).toBe(true);
    for (const header of [undefined, '', '"x"', etagOf({ a: 2 })]) expect(etagMatches(header, etag)).toBe(false);
  });
});
