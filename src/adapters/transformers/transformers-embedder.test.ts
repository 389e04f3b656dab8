import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../config/app-config.js';
import { findLocalModel, type LocalModel } from '../../embedding/local-model.js';
import type { LogFields, Logger } from '../../logging/logger.js';
import { silentLogger } from '../../logging/logger.js';
import { TransformersEmbedder } from './transformers-embedder.js';

const started: TransformersEmbedder[] = [];
let bundled: LocalModel;
let shared: TransformersEmbedder;

const english =
  'The worker writes the new version of an index beside the one that is served, and switches in one step.';
const chinese = '鲲鹏潮汐仪每小时记录一次水位。';

async function start(local: LocalModel, processes: number, textTimeoutMs = 30_000, logger: Logger = silentLogger) {
  const embedder = new TransformersEmbedder(local, { processes, textTimeoutMs }, logger);
  started.push(embedder);
  await embedder.start();
  return embedder;
}

function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

beforeAll(async () => {
  bundled = await findLocalModel(loadConfig({}).embedding, undefined);
  shared = new TransformersEmbedder(bundled, { processes: 2, textTimeoutMs: 30_000 }, silentLogger);
  await shared.start();
}, 60_000);

afterEach(() => Promise.all(started.splice(0).map((embedder) => embedder.stop())));
afterAll(() => shared.stop());

describe('TransformersEmbedder', () => {
  it('computes the vectors of the model it names', async () => {
    const [vector] = await shared.embed(['hello world'], 'passage');
    expect(shared.model).toMatchObject({ id: 'all-MiniLM-L6-v2', dimension: 384, maxTokens: 256 });
    [-0.0357, 0.0207, 0.0047, 0.0265].forEach((value, at) => expect(vector?.[at]).toBeCloseTo(value, 4));
    expect(vector).toHaveLength(384);
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
  });

  it('gives a text the same vector, bit for bit, whatever its neighbours, its place and its process', async () => {
    const others = Array.from({ length: 30 }, (_, n) => `${n} other words`.repeat(1 + (n % 9)));
    const [alone] = await shared.embed([english], 'passage');
    const among = await shared.embed([...others, english, ...others, english], 'passage');
    const fresh = await (await start(bundled, 1)).embed([english], 'query');
    expect([among[30], among[61], fresh[0]]).toEqual([alone, alone, alone]);
  });

  it('keeps the order of the texts', async () => {
    const texts = Array.from({ length: 25 }, (_, n) => `number ${n} `.repeat(1 + ((n * 7) % 11)));
    const together = await shared.embed(texts, 'passage');
    for (const at of [0, 11, 24]) {
      expect(together[at]).toEqual((await shared.embed([texts[at] ?? ''], 'passage'))[0]);
    }
  });

  it('takes the literal names of special tokens as ordinary text', async () => {
    const [literal, spaced] = await shared.embed(['a [SEP] b [CLS][MASK]', 'a [ sep ] b [ cls ] [ mask ]'], 'passage');
    expect(literal).toEqual(spaced);
  });

  it('computes odd texts: Chinese, emoji, control characters, a lone surrogate, nothing', async () => {
    const texts = [chinese, '👩‍👩‍👧‍👦 𠮷', 'a\u0000b\u0007', '\ud800', '', ' \n\t', 'x'.repeat(5_000)];
    expect(await shared.embed(texts, 'passage')).toHaveLength(texts.length);
    expect(await shared.embed([], 'passage')).toEqual([]);
  });

  it('takes a text of just the limit and refuses one over it', async () => {
    // Each word is one token; two special tokens stand round them.
    expect(await shared.embed(['word '.repeat(254)], 'passage')).toHaveLength(1);
    expect(await errorOf(shared.embed(['short', 'word '.repeat(255)], 'passage'))).toMatchObject({
      code: 'CHUNK_LIMIT',
      details: { tokens: 257, maxTokens: 256 },
    });
    expect(await errorOf(shared.embed(['word '.repeat(255)], 'query'))).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { fields: [{ path: 'query' }] },
    });
  });

  it('puts the prefix of its purpose before a text, and counts it', async () => {
    const model = { ...bundled.model, queryPrefix: 'query: ', passagePrefix: 'passage: ' };
    const embedder = await start({ ...bundled, model }, 1);
    const plain = await shared.embed(['query: tide', 'passage: tide'], 'passage');
    expect(await embedder.embed(['tide'], 'query')).toEqual([plain[0]]);
    expect(await embedder.embed(['tide'], 'passage')).toEqual([plain[1]]);
    expect(await errorOf(embedder.embed(['word '.repeat(254)], 'passage'))).toMatchObject({ code: 'CHUNK_LIMIT' });
  });

  it('pools by the first token where the model asks for it', async () => {
    const embedder = await start({ ...bundled, model: { ...bundled.model, pooling: 'cls' } }, 1);
    const [byFirst] = await embedder.embed([english], 'passage');
    const [byMean] = await shared.embed([english], 'passage');
    expect(byFirst).not.toEqual(byMean);
    expect(Math.hypot(...(byFirst ?? []))).toBeCloseTo(1, 5);
  });

  it('answers a query before the passages that wait', async () => {
    const embedder = await start(bundled, 1);
    const done: string[] = [];
    const ask = (name: string, purpose: 'query' | 'passage') =>
      embedder.embed([english], purpose).then(() => done.push(name));
    await Promise.all([...['a', 'b', 'c', 'd'].map((name) => ask(name, 'passage')), ask('query', 'query')]);
    expect(done).toEqual(['a', 'query', 'b', 'c', 'd']);
  });

  it('rejects with the reason as soon as it is aborted, and goes on with what comes next', async () => {
    const passages = new Array<string>(200).fill(english);
    const abort = new AbortController();
    const aborted = errorOf(shared.embed(passages, 'passage', abort.signal));
    await shared.embed(['tide'], 'query');
    const reason = new Error('cancelled');
    const at = performance.now();
    abort.abort(reason);
    expect(await aborted).toBe(reason);
    expect(performance.now() - at).toBeLessThan(100);
    await shared.embed(['tide'], 'passage');
    expect(performance.now() - at).toBeLessThan(2_000);
    expect(await errorOf(shared.embed(['tide'], 'query', abort.signal))).toBe(reason);
  });

  it('fails in a way that can be retried when its process is killed, and gives the same vectors afterwards', async () => {
    const pids: number[] = [];
    const note = (_: string, fields: LogFields = {}): unknown => pids.push(Number(fields['pid']));
    const embedder = await start(bundled, 1, 30_000, { ...silentLogger, debug: (m, f) => void note(m, f) });
    const [before] = await embedder.embed([english], 'passage');
    const lost = errorOf(embedder.embed(new Array<string>(80).fill('word '.repeat(250)), 'passage'));
    await embedder.embed(['tide'], 'query');
    // By now the process has taken the next texts, which keep it busy for longer than this.
    await pause(40);
    expect(pids).toEqual([expect.any(Number)]);
    process.kill(Number(pids[0]), 'SIGKILL');
    expect(await lost).toMatchObject({
      code: 'EMBEDDING_FAILED',
      retryable: true,
      message: 'The embedding process was killed by SIGKILL.',
    });
    expect(await embedder.embed([english], 'passage')).toEqual([before]);
  });

  it('fails in a way that can be retried when a text takes too long', async () => {
    const embedder = await start(bundled, 1, 1);
    expect(await errorOf(embedder.embed(['word '.repeat(250)], 'passage'))).toMatchObject({
      code: 'EMBEDDING_FAILED',
      message: 'The embedding process did not answer in 1 ms.',
    });
  });

  it('does not start with damaged weights or a wrong dimension', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'model-'));
    await cp(bundled.folder, folder, { recursive: true });
    await writeFile(join(folder, bundled.weights), (await readFile(join(folder, bundled.weights))).subarray(0, 50_000));
    const damaged = { ...bundled, folder };
    expect(await errorOf(start(damaged, 1))).toMatchObject({
      code: 'MODEL_NOT_AVAILABLE',
      message: 'The embedding model all-MiniLM-L6-v2 cannot be loaded.',
    });
    await rm(folder, { recursive: true });
    const wrong = { ...bundled, model: { ...bundled.model, dimension: 512 } };
    expect(await errorOf(start(wrong, 2))).toMatchObject({
      code: 'MODEL_NOT_AVAILABLE',
      message: expect.stringContaining('vectors of 384 numbers, and its configuration says 512'),
    });
  });
});
