import { describe, expect, it } from '@jest/globals';
import { OffsetCommits } from './offset-commits.js';

/** A broker that answers when the test says so. */
class Scripted {
  readonly asked: { readonly next: string; end: () => void; fail: (error: unknown) => void }[] = [];
  readonly commits = new OffsetCommits(
    (next) => new Promise<void>((end, fail) => this.asked.push({ next, end, fail })),
  );

  get offsets(): string[] {
    return this.asked.map(({ next }) => next);
  }

  async answer(request: number): Promise<void> {
    this.asked[request]?.end();
    await settle();
  }
}

/** Lets everything run that can run without waiting for anything. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  return (await Promise.race([promise, settle().then(() => pending)])) === pending;
}

describe('OffsetCommits', () => {
  it('commits the first message at once, and what is done with meanwhile in one request after it', async () => {
    const broker = new Scripted();
    for (const offset of ['7', '8', '9']) await broker.commits.done(offset);
    expect(broker.offsets).toEqual(['8']);
    await broker.answer(0);
    expect(broker.offsets).toEqual(['8', '10']);
    await broker.answer(1);
    await broker.commits.flush();
    expect(broker.offsets).toEqual(['8', '10']);
  });

  it('commits nothing that is not done with', async () => {
    const broker = new Scripted();
    await broker.commits.flush();
    expect(broker.offsets).toEqual([]);
  });

  it('is flushed once the broker knows of everything', async () => {
    const broker = new Scripted();
    await broker.commits.done('0');
    await broker.commits.done('1');
    const flushed = broker.commits.flush();
    await broker.answer(0);
    expect(await isPending(flushed)).toBe(true);
    await broker.answer(1);
    await flushed;
  });

  it('lets nobody run further ahead of a silent broker than a hundred messages', async () => {
    const broker = new Scripted();
    let last: Promise<void> = Promise.resolve();
    let taken = 0;
    for (; taken < 1_000 && !(await isPending(last)); taken += 1) last = broker.commits.done(String(taken));
    expect(taken).toBe(100);
    await broker.answer(0);
    expect(broker.offsets).toEqual(['1', '100']);
    await broker.answer(1);
    await last;
    expect(await isPending(broker.commits.done('100'))).toBe(false);
  });

  it('lets whoever asks next know that a commit failed, and commits nothing after it', async () => {
    const broker = new Scripted();
    await broker.commits.done('0');
    await broker.commits.done('1');
    broker.asked[0]?.fail(new Error('the group is being rearranged'));
    await settle();
    await expect(broker.commits.done('2')).rejects.toThrow('rearranged');
    await expect(broker.commits.flush()).rejects.toThrow('rearranged');
    expect(broker.offsets).toEqual(['1']);
  });
});
