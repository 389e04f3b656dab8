import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InProcessSignal } from './in-process-signal.js';
import type { ProgressSignal } from './progress-signal.js';
import { TaskWatch, type Watched } from './task-watch.js';

const never = new AbortController().signal;
const hour = 3_600_000;

/** A signal that tells how many listen to it. */
class CountingSignal implements ProgressSignal {
  listeners = 0;
  private readonly inner = new InProcessSignal(true);
  readonly reachesAll = true;

  announce(change: { tenantId: string; taskId: string }): void {
    this.inner.announce(change);
  }

  subscribe(listener: Parameters<ProgressSignal['subscribe']>[0]): () => void {
    this.listeners += 1;
    const end = this.inner.subscribe(listener);
    return () => {
      this.listeners -= 1;
      end();
    };
  }
}

// The clock stands still unless a test moves it: whatever resolves was woken.
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

let signal: CountingSignal;
let watch: TaskWatch;

beforeEach(() => {
  signal = new CountingSignal();
  watch = new TaskWatch(signal);
});

const changed = (taskId: string) => signal.announce({ tenantId: '0', taskId });

async function resolved(waiting: Promise<void>): Promise<boolean> {
  let over = false;
  void waiting.then(() => (over = true));
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
  return over;
}

describe('whoever watches a task', () => {
  it('is woken by its change, and by no other', async () => {
    const [one, other] = [watch.watch('1'), watch.watch('2')];
    const waits = [one.next(hour, never), other.next(hour, never)] as const;
    changed('1');
    expect([await resolved(waits[0]), await resolved(waits[1])]).toEqual([true, false]);
  });

  it('does not miss a change that comes while it looks, and does not see it twice', async () => {
    const watched = watch.watch('1');
    changed('1');
    changed('1');
    expect(await resolved(watched.next(hour, never))).toBe(true);
    expect(await resolved(watched.next(hour, never))).toBe(false);
  });

  it('looks by itself every second, and more often where not every change is heard', async () => {
    const waiting = watch.watch('1').next(hour, never);
    const often = new TaskWatch(new InProcessSignal(false)).watch('1').next(hour, never);
    jest.advanceTimersByTime(250);
    expect([await resolved(waiting), await resolved(often)]).toEqual([false, true]);
    jest.advanceTimersByTime(750);
    expect(await resolved(waiting)).toBe(true);
  });

  it('stops waiting when it goes away', async () => {
    const leaving = new AbortController();
    const waiting = watch.watch('1').next(hour, leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a watch over tasks', () => {
  it('listens once for all, and not at all when nobody watches any more', () => {
    const all: Watched[] = ['1', '1', '2'].map((taskId) => watch.watch(taskId));
    expect(signal.listeners).toBe(1);
    for (const watched of all) watched.close();
    all[0]?.close();
    expect(signal.listeners).toBe(0);
    watch.watch('1');
    expect(signal.listeners).toBe(1);
  });
});
