import { describe, expect, it } from '@jest/globals';
import { Turnstile } from './turnstile.js';

const never = new AbortController().signal;

/** Lets everything run that can run without waiting for anything. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Turnstile', () => {
  it('lets one in at a time, the most urgent first', async () => {
    const turnstile = new Turnstile();
    const order: string[] = [];
    const pass = async (name: string, rank: number): Promise<void> => {
      const leave = await turnstile.enter(rank, never);
      order.push(`${name} in`);
      await settle();
      order.push(`${name} out`);
      leave?.();
    };
    await Promise.all([pass('first', 1), pass('bulk', 1), pass('urgent', 0)]);
    expect(order).toEqual(['first in', 'first out', 'urgent in', 'urgent out', 'bulk in', 'bulk out']);
  });

  it('lets nobody in while it is closed', async () => {
    const turnstile = new Turnstile();
    turnstile.close();
    let inside = false;
    const entering = turnstile.enter(0, never).then(() => (inside = true));
    await settle();
    expect(inside).toBe(false);
    turnstile.open();
    await entering;
    expect(inside).toBe(true);
  });

  it('sends away who gives up, and lets in the next', async () => {
    const turnstile = new Turnstile();
    const impatience = new AbortController();
    const leave = await turnstile.enter(0, never);
    const impatient = turnstile.enter(0, impatience.signal);
    const patient = turnstile.enter(1, never);
    impatience.abort();
    leave?.();
    expect(await impatient).toBeUndefined();
    expect(await patient).toBeDefined();
  });

  it('takes a place back only once', async () => {
    const turnstile = new Turnstile();
    const leave = await turnstile.enter(0, never);
    const second = turnstile.enter(0, never);
    const third = turnstile.enter(0, never);
    leave?.();
    leave?.();
    expect(await second).toBeDefined();
    expect(await Promise.race([third, settle().then(() => 'still waiting')])).toBe('still waiting');
  });

  it('sends everybody away when it ends', async () => {
    const turnstile = new Turnstile();
    await turnstile.enter(0, never);
    const waiting = turnstile.enter(0, never);
    turnstile.end();
    expect(await waiting).toBeUndefined();
    expect(await turnstile.enter(0, never)).toBeUndefined();
  });
});
