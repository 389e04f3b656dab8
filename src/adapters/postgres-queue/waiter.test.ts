import { describe, expect, it } from '@jest/globals';
import { Waiter } from './waiter.js';

const long = 20_000;

/** How long something took, in ms. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describe('Waiter', () => {
  it('is woken', async () => {
    const waiter = new Waiter();
    waiter.begin();
    const waiting = waiter.wait(long);
    waiter.wake();
    expect(await waiting).toBe(true);
  });

  it('does not miss a wake-up that came before it waited', async () => {
    const waiter = new Waiter();
    waiter.begin();
    waiter.wake();
    expect(await timed(() => waiter.wait(long))).toBeLessThan(1_000);
  });

  it('waits for what is due also after it was woken for something else', async () => {
    const waiter = new Waiter();
    waiter.wakeIn(100);
    waiter.begin();
    waiter.wake();
    await waiter.wait(long);
    waiter.begin();
    const ms = await timed(() => waiter.wait(long));
    expect(ms).toBeGreaterThan(50);
    expect(ms).toBeLessThan(2_000);
  });

  it('waits its whole time when nothing happens', async () => {
    const waiter = new Waiter();
    waiter.begin();
    const startedAt = performance.now();
    expect(await waiter.wait(60)).toBe(false);
    expect(performance.now() - startedAt).toBeGreaterThan(50);
  });
});
