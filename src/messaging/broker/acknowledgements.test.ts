import { describe, expect, it } from '@jest/globals';
import { Acknowledgements } from './acknowledgements.js';

/** A broker that answers when the test says so. */
class Scripted {
  readonly requests: { readonly done: readonly string[]; end: () => void; fail: (error: unknown) => void }[] = [];
  readonly acknowledgements = new Acknowledgements<string>(
    (done) => new Promise<void>((end, fail) => this.requests.push({ done, end, fail })),
  );

  get told(): string[] {
    return this.requests.map(({ done }) => done.join(' '));
  }

  async done(...messages: string[]): Promise<void> {
    for (const message of messages) await this.acknowledgements.done(message);
  }

  async answer(request: number): Promise<void> {
    this.requests[request]?.end();
    await settle();
  }
}

/** Lets everything run that can run without waiting for anything. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  return (await Promise.race([promise, settle().then(() => pending)])) === pending;
}

describe('Acknowledgements', () => {
  it('tells of the first message at once, and of those that are done with meanwhile in one request after it', async () => {
    const broker = new Scripted();
    await broker.done('1', '2', '3');
    expect(broker.told).toEqual(['1']);
    await broker.answer(0);
    expect(broker.told).toEqual(['1', '2 3']);
    await broker.answer(1);
    await broker.done('4');
    expect(broker.told).toEqual(['1', '2 3', '4']);
  });

  it('tells of nothing that is not done with', async () => {
    const broker = new Scripted();
    await broker.acknowledgements.flush();
    expect(broker.told).toEqual([]);
  });

  it('is flushed once the broker knows of everything', async () => {
    const broker = new Scripted();
    await broker.done('1', '2');
    const flushed = broker.acknowledgements.flush();
    await broker.answer(0);
    expect(await isPending(flushed)).toBe(true);
    await broker.answer(1);
    await flushed;
  });

  it('lets nobody run further ahead of a silent broker than a hundred messages', async () => {
    const broker = new Scripted();
    let last: Promise<void> = Promise.resolve();
    let taken = 0;
    for (; taken < 1_000 && !(await isPending(last)); taken += 1) last = broker.done(String(taken));
    expect(taken).toBe(100);
    await broker.answer(0);
    await broker.answer(1);
    await last;
    expect(broker.requests.map(({ done }) => done.length)).toEqual([1, 99]);
    expect(await isPending(broker.done('100'))).toBe(false);
  });

  it('lets whoever asks next know that a request failed, and tells of nothing after it', async () => {
    const broker = new Scripted();
    await broker.done('1', '2');
    broker.requests[0]?.fail(new Error('the group is being rearranged'));
    await settle();
    await expect(broker.done('3')).rejects.toThrow('rearranged');
    await expect(broker.acknowledgements.flush()).rejects.toThrow('rearranged');
    expect(broker.told).toEqual(['1']);
  });
});
