import { describe, expect, it } from '@jest/globals';
import { SendGate } from './send-gate.js';

/** Work that ends when it is told to. */
function held(): { work: () => Promise<string>; finish: () => void; begun: Promise<void> } {
  let finish: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const work = () =>
    new Promise<string>((resolve) => {
      begin();
      finish = () => resolve('done');
    });
  return { work, begun, finish: () => finish() };
}

describe('SendGate', () => {
  it('queues callers while sends go through, and runs them in order', async () => {
    const gate = new SendGate(1, () => 0);
    const first = held();
    const running = gate.run(first.work);
    const order: number[] = [];
    const queued = [1, 2].map((n) => gate.run(() => Promise.resolve(order.push(n))));
    await first.begun;
    expect(order).toEqual([]);
    first.finish();
    await Promise.all([running, ...queued]);
    expect(order).toEqual([1, 2]);
  });

  it('turns newcomers away at once when the oldest send is slow', async () => {
    let now = 0;
    const gate = new SendGate(1, () => now);
    const slow = held();
    const running = gate.run(slow.work);
    await slow.begun;
    now = 500;
    await expect(gate.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    slow.finish();
    await running;
    await expect(gate.run(() => Promise.resolve('open again'))).resolves.toBe('open again');
  });

  it('turns the queue away when the send in front of it becomes slow', async () => {
    let now = 0;
    const gate = new SendGate(1, () => now);
    const slow = held();
    const running = gate.run(slow.work);
    const queued = gate.run(() => Promise.resolve());
    now = 600;
    await expect(queued).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    slow.finish();
    await running;
  });

  it('gives its place back when the work fails', async () => {
    const gate = new SendGate(1, () => 0);
    await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(gate.run(() => Promise.resolve('next'))).resolves.toBe('next');
  });
});
