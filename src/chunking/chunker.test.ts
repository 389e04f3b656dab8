import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Level, Strategy, type PlanStep } from '../domain/plan/strategy.js';
import type { ChunkLimits } from '../domain/text/chunk.js';
import { silentLogger } from '../logging/logger.js';
import { bundledModelFolder } from '../testing/reference-tokenizer.js';
import { simpleBlocks } from '../testing/simple-blocks.js';
import { Chunker, type ChunkerOptions } from './chunker.js';
import { cutDocument } from './cut-document.js';
import { measureFeatures } from './measure-features.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';

const limits: ChunkLimits = {
  PARENT: { maxTokens: 4_096, maxChars: 16_000 },
  CHILD: { maxTokens: 256, maxChars: 2_000 },
};
const steps: PlanStep[] = [
  { level: Level.Parent, strategy: Strategy.Structure, params: {} },
  { level: Level.Child, strategy: Strategy.Sentence, params: { overlapTokens: 20 } },
];
const text = `# Pumps 🌸\n\n${'Every pump is checked at dawn. '.repeat(80)}\n\n| a | b |\n|---|---|\n${'| 1 | two |\n'.repeat(90)}`;
const request = { text, blocks: simpleBlocks(text), steps };
/** Takes the thread many turns of the event loop, even on a fast machine. */
const sentence = 'Every pump is checked at dawn, and signed for. ';
const long = { text: sentence.repeat(100_000), blocks: [], steps };

const chunkers: Chunker[] = [];
function newChunker(options: Partial<ChunkerOptions> = {}): Chunker {
  const chunker = new Chunker({ modelFolder: bundledModelFolder, limits, ...options }, silentLogger);
  chunkers.push(chunker);
  return chunker;
}
afterEach(() => Promise.all(chunkers.splice(0).map((chunker) => chunker.stop())));

const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('the chunker', () => {
  it('gives what cutting and measuring in the same thread give', async () => {
    const counter = await loadTokenCounter(bundledModelFolder);
    const chunker = newChunker();
    await chunker.start();
    expect(await chunker.cut(request)).toEqual(cutDocument({ ...request, limits }, counter));
    expect(await chunker.measure(request)).toEqual(measureFeatures(request, counter));
  });

  it('cuts under the limits of a request instead of its own', async () => {
    const narrow = { ...limits, CHILD: { maxTokens: 64, maxChars: 100 } };
    const { children } = await newChunker().cut({ ...request, limits: narrow });
    expect(Math.max(...children.map(({ charStart, charEnd }) => charEnd - charStart))).toBeLessThanOrEqual(100);
  });

  it('cuts a text longer than one message, with pairs wherever messages meet', async () => {
    const flowers = `a${'🌸 '.repeat(400_000)}`;
    const { parents } = await newChunker().cut({ text: flowers, blocks: [], steps });
    expect(parents.at(-1)?.charEnd).toBe(800_000);
    expect(parents.map((parent) => parent.text).join('')).not.toMatch(/\p{Cs}/u);
  });

  it('refuses to start with a model that it cannot count for', async () => {
    const chunker = newChunker({ modelFolder: '/nowhere/some-model' });
    await expect(chunker.start()).rejects.toMatchObject({ code: 'MODEL_NOT_AVAILABLE' });
    await expect(chunker.cut(request)).rejects.toMatchObject({ code: 'MODEL_NOT_AVAILABLE' });
  });

  it('passes on what is wrong with a plan', async () => {
    const bad = { ...request, steps: [{ level: Level.Parent, strategy: Strategy.Llm, params: {} }] };
    await expect(newChunker().cut(bad)).rejects.toMatchObject({
      code: 'PLAN_INVALID',
      details: { problems: expect.arrayContaining([expect.objectContaining({ code: 'STRATEGY_UNAVAILABLE' })]) },
    });
  });

  it('leaves the event loop of its caller free', async () => {
    const chunker = newChunker();
    await chunker.start();
    let turns = 0;
    let longestTurn = 0;
    let done = false;
    const begin = performance.now();
    const cut = chunker.cut(long).finally(() => (done = true));
    for (let last = performance.now(); !done; turns += 1) {
      await setImmediate();
      const now = performance.now();
      longestTurn = Math.max(longestTurn, now - last);
      last = now;
    }
    expect((await cut).children.length).toBeGreaterThan(5_000);
    expect(turns).toBeGreaterThan(50);
    expect(longestTurn).toBeLessThan((performance.now() - begin) / 3);
  });

  it('stops the work in hand when it is aborted, and goes on with the next', async () => {
    const chunker = newChunker();
    await chunker.start();
    const controller = new AbortController();
    const reason = new Error('cancelled by a person');
    const aborted = outcome(chunker.cut(long, controller.signal));
    const next = chunker.cut(request);
    await setImmediate();
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    expect((await next).parents.length).toBeGreaterThan(0);
    expect(await outcome(chunker.cut(request, controller.signal))).toBe(reason);
  });

  it('takes what is aborted while it waits out of the line', async () => {
    const chunker = newChunker();
    const first = chunker.cut(request);
    const controller = new AbortController();
    const waiting = outcome(chunker.cut(long, controller.signal));
    controller.abort(new Error('not wanted any more'));
    expect(await waiting).toEqual(new Error('not wanted any more'));
    expect((await first).parents.length).toBeGreaterThan(0);
  });

  it('makes running out of memory the error of that text only', async () => {
    const chunker = newChunker({ memoryMb: 40 });
    await chunker.start();
    const blocks = Array.from({ length: 400_000 }, (_, index) => ({
      type: 'paragraph' as const,
      charStart: index * 6,
      charEnd: index * 6 + 4,
    }));
    await expect(chunker.cut({ text: 'word\n\n'.repeat(blocks.length), blocks, steps })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect((await chunker.cut(request)).parents.length).toBeGreaterThan(0);
  });

  it('refuses more than a line of waiting texts', async () => {
    const chunker = newChunker();
    const outcomes = Array.from({ length: 70 }, () => outcome(chunker.cut(request)));
    const refused = (await Promise.all(outcomes)).filter((result) => result instanceof Error);
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ code: 'TOO_BUSY' });
  });

  it('ends work in hand and work that waits when it stops, and takes no more', async () => {
    const chunker = newChunker();
    await chunker.start();
    const running = outcome(chunker.cut(long));
    const waiting = outcome(chunker.cut(request));
    await setImmediate();
    await chunker.stop();
    await chunker.stop();
    expect(await running).toMatchObject({ code: 'TOO_BUSY' });
    expect(await waiting).toMatchObject({ code: 'TOO_BUSY' });
    await expect(chunker.cut(request)).rejects.toMatchObject({ code: 'TOO_BUSY' });
  });
});
