import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../domain/errors.js';
import { silentLogger } from '../logging/logger.js';
import type { ObedientInit, Order, Told } from '../testing/processes/obedient-child.js';
import { ProcessLost } from './process-lost.js';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.js';

type TestPool = ProcessPool<Order, unknown>;

const pools: TestPool[] = [];
const timeoutMs = 20_000;

function newPool(options: Partial<ProcessPoolOptions> = {}, init: ObedientInit = {}): TestPool {
  const script = new URL('../testing/processes/obedient-child.js', import.meta.url);
  const pool: TestPool = new ProcessPool(
    { name: 'test', script, size: 1, startTimeoutMs: 20_000, init, ...options },
    silentLogger,
  );
  pools.push(pool);
  return pool;
}

async function startedPool(options: Partial<ProcessPoolOptions> = {}, init: ObedientInit = {}): Promise<TestPool> {
  const pool = newPool(options, init);
  await pool.start();
  return pool;
}

const tell = async (pool: TestPool): Promise<Told> => (await pool.run({ do: 'tell' }, { timeoutMs })) as Told;
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** False for a process that ended, also if nobody has collected it yet. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  const deadline = performance.now() + 8_000;
  while (isRunning(pid)) {
    if (performance.now() > deadline) throw new Error('The process is still running.');
    await pause(20);
  }
}

async function firstLineOf(stream: Readable): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error('The process printed nothing.');
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
});

describe('ProcessPool', () => {
  it('passes texts and typed arrays both ways', async () => {
    const pool = await startedPool();
    const value = { text: '鲲鹏 𠮷', vector: new Float32Array([1, -0.5]) };
    expect(await pool.run({ do: 'echo', value }, { timeoutMs })).toEqual(value);
  });

  it('has each child answer one request at a time, in the order they came', async () => {
    const pool = await startedPool();
    const done: unknown[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async (value) => done.push(await pool.run({ do: 'echo', value }, { timeoutMs }))),
    );
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it('takes an urgent request before those that wait', async () => {
    const pool = await startedPool();
    const done: unknown[] = [];
    const run = async (value: string, urgent: boolean): Promise<void> => {
      await pool.run({ do: 'echo', value }, { timeoutMs, urgent });
      done.push(value);
    };
    await Promise.all([run('a', false), run('b', false), run('c', false), run('query', true)]);
    expect(done).toEqual(['a', 'query', 'b', 'c']);
  });

  it('works in all its children at once', async () => {
    const pool = await startedPool({ size: 2 });
    const [one, two] = await Promise.all([tell(pool), tell(pool)]);
    expect(one.pid).not.toBe(two.pid);
  });

  it('gives a child no variable of its own environment', async () => {
    process.env['TEST_SECRET'] = 'x';
    const pool = await startedPool();
    const { env } = await tell(pool);
    delete process.env['TEST_SECRET'];
    expect(
      Object.keys(env)
        .filter((name) => !name.startsWith('NODE_CHANNEL'))
        .sort(),
    ).toEqual(['TMPDIR', 'TZ']);
  });

  it('passes a foreseen error whole and any other with its stack and cause', async () => {
    const pool = await startedPool();
    const refused = (await errorOf(pool.run({ do: 'refuse' }, { timeoutMs }))) as AppError;
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: 'ENCRYPTED', message: 'It has a password.', details: { page: 3 } });
    const broken = (await errorOf(pool.run({ do: 'break' }, { timeoutMs }))) as Error;
    expect(broken).not.toBeInstanceOf(AppError);
    expect(broken).toMatchObject({ name: 'RangeError', message: 'too deep', cause: { message: 'a reason' } });
    expect(broken.stack).toContain('obedient-child');
  });

  it('reports an answer that cannot be sent as an error of that request', async () => {
    const pool = await startedPool();
    const error = (await errorOf(pool.run({ do: 'answer unsendable' }, { timeoutMs }))) as Error;
    expect(error.message).toContain('could not be cloned');
    expect(await pool.run({ do: 'echo', value: 1 }, { timeoutMs })).toBe(1);
  });

  it('fails only the request of a child that was killed, and replaces the child', async () => {
    const pool = await startedPool({ size: 2 });
    const [one, two] = await Promise.all([tell(pool), tell(pool)]);
    const file = join(await mkdtemp(join(tmpdir(), 'pool-')), 'spinning');
    const lost = errorOf(pool.run({ do: 'mark and spin', file }, { timeoutMs }));
    while (!existsSync(file)) await pause(5);
    // One holds that request, the other is idle; which is which does not matter.
    process.kill(one.pid, 'SIGKILL');
    process.kill(two.pid, 'SIGKILL');
    expect(await lost).toMatchObject({
      name: 'ProcessLost',
      reason: 'exit',
      message: expect.stringContaining('SIGKILL'),
    });
    const after = await Promise.all([tell(pool), tell(pool)]);
    for (const { pid } of after) expect([one.pid, two.pid]).not.toContain(pid);
  });

  it('tells the code of a child that left', async () => {
    const pool = await startedPool();
    expect(await errorOf(pool.run({ do: 'leave', code: 7 }, { timeoutMs }))).toMatchObject({
      reason: 'exit',
      message: 'The test process ended with code 7.',
    });
  });

  it('kills and replaces a child that computes too long', async () => {
    const pool = await startedPool();
    const { pid } = await tell(pool);
    const error = await errorOf(pool.run({ do: 'spin' }, { timeoutMs: 200 }));
    expect(error).toBeInstanceOf(ProcessLost);
    expect(error).toMatchObject({ reason: 'timeout', message: 'The test process did not answer in 200 ms.' });
    expect((await tell(pool)).pid).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });

  it('does not count the time in the waiting line', async () => {
    const pool = await startedPool();
    const slow = errorOf(pool.run({ do: 'spin' }, { timeoutMs: 2_500 }));
    expect(await pool.run({ do: 'echo', value: 1 }, { timeoutMs: 2_400 })).toBe(1);
    expect(await slow).toMatchObject({ reason: 'timeout' });
  });

  it('kills and replaces the child of an aborted request, and rejects with the reason', async () => {
    const pool = await startedPool();
    const { pid } = await tell(pool);
    const abort = new AbortController();
    const running = errorOf(pool.run({ do: 'spin' }, { timeoutMs, signal: abort.signal }));
    const waiting = errorOf(pool.run({ do: 'spin' }, { timeoutMs, signal: abort.signal }));
    const other = pool.run({ do: 'echo', value: 'other' }, { timeoutMs });
    await pause(0);
    const reason = new Error('cancelled');
    abort.abort(reason);
    expect(await running).toBe(reason);
    expect(await waiting).toBe(reason);
    expect(await other).toBe('other');
    expect(isRunning(pid)).toBe(false);
    expect(await errorOf(pool.run({ do: 'echo', value: 1 }, { timeoutMs, signal: abort.signal }))).toBe(reason);
  });

  it('names memory as the reason when the heap is full', async () => {
    const pool = await startedPool({ memoryMb: 40 });
    const error = await errorOf(pool.run({ do: 'fill heap' }, { timeoutMs }));
    expect(error).toMatchObject({
      name: 'ProcessLost',
      reason: 'memory',
      message: 'The test process ran out of memory.',
    });
    expect(await pool.run({ do: 'echo', value: 1 }, { timeoutMs })).toBe(1);
  });

  it('names memory as the reason when buffers outside the heap exceed the limit', async () => {
    const pool = await startedPool({ memoryMb: 40 });
    expect(await errorOf(pool.run({ do: 'fill buffers' }, { timeoutMs }))).toMatchObject({ reason: 'memory' });
  });

  it('rejects the start with the error of the child, and leaves no child', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'pool-')), 'refuse');
    await writeFile(file, '');
    const pool = newPool({ size: 2 }, { refuseWhileFile: file });
    const waiting = errorOf(pool.run({ do: 'echo', value: 1 }, { timeoutMs }));
    const error = await errorOf(pool.start());
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: 'MODEL_NOT_AVAILABLE',
      message: 'The file is there.',
      details: { seen: true },
    });
    expect(await waiting).toBe(error);
    await rm(file);
    await pool.start();
    expect(await pool.run({ do: 'echo', value: 1 }, { timeoutMs })).toBe(1);
  });

  it('rejects the start of children that break, leave or hang', async () => {
    const broken = await errorOf(newPool({}, { prepare: 'break' }).start());
    expect(broken).toMatchObject({ name: 'TypeError', message: 'not prepared for this' });
    const left = await errorOf(newPool({}, { prepare: 'leave' }).start());
    expect(left).toMatchObject({ name: 'ProcessLost', reason: 'exit', message: 'The test process ended with code 3.' });
    const hung = await errorOf(newPool({ startTimeoutMs: 1_500 }, { prepare: 'hang' }).start());
    expect(hung).toMatchObject({ name: 'ProcessLost', reason: 'timeout' });
  });

  it('fails those who wait while no child can be started, and recovers when one can', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'pool-')), 'refuse');
    const pool = await startedPool({}, { refuseWhileFile: file });
    const { pid } = await tell(pool);
    await writeFile(file, '');
    process.kill(pid, 'SIGKILL');
    await gone(pid);
    await errorOf(pool.run({ do: 'echo', value: 1 }, { timeoutMs }));
    expect(await errorOf(pool.run({ do: 'echo', value: 2 }, { timeoutMs }))).toMatchObject({
      code: 'MODEL_NOT_AVAILABLE',
    });
    await rm(file);
    await errorOf(pool.run({ do: 'echo', value: 3 }, { timeoutMs }));
    expect(await pool.run({ do: 'echo', value: 4 }, { timeoutMs })).toBe(4);
  });

  it('replaces a child that answered enough or holds too much, and loses nothing', async () => {
    const counted = await startedPool({ recycleAfterRequests: 2 });
    const pids = [];
    for (let n = 0; n < 6; n += 1) pids.push((await tell(counted)).pid);
    expect(new Set(pids).size).toBe(3);
    const weighed = await startedPool({ recycleAboveMb: 1 });
    expect((await tell(weighed)).pid).not.toBe((await tell(weighed)).pid);
  });

  it('ignores what a terminal sends to its children', async () => {
    const pool = await startedPool();
    const { pid } = await tell(pool);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
    await pause(50);
    expect((await tell(pool)).pid).toBe(pid);
  });

  it('stops at once, twice, and rejects what runs, waits and comes', async () => {
    const pool = await startedPool();
    const { pid } = await tell(pool);
    const running = errorOf(pool.run({ do: 'spin' }, { timeoutMs }));
    const waiting = errorOf(pool.run({ do: 'spin' }, { timeoutMs }));
    await Promise.all([pool.stop(), pool.stop()]);
    await pool.stop();
    expect(isRunning(pid)).toBe(false);
    const late = errorOf(pool.run({ do: 'spin' }, { timeoutMs }));
    for (const lost of [running, waiting, late]) {
      expect(await lost).toMatchObject({ reason: 'exit', message: 'The test processes were stopped.' });
    }
  });

  it('gives way with its children to everything else, in their own session and among sessions', async () => {
    const pool = await startedPool();
    const { pid } = await tell(pool);
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
    const groupOf = (process: number | 'self'): string => readFileSync(`/proc/${process}/autogroup`, 'utf8').trim();
    if (!existsSync('/proc/self/autogroup')) return;
    expect(groupOf(pid)).toMatch(/ nice 10$/);
    expect(groupOf('self')).not.toBe(groupOf(pid));
  });

  it('stops while it starts', async () => {
    const pool = newPool({ size: 2 }, { prepare: 'hang' });
    const starting = errorOf(pool.start());
    await pool.stop();
    expect(await starting).toMatchObject({ message: 'The test processes were stopped.' });
  });

  it('leaves no child when the parent is killed, not even one that computes without end', async () => {
    const program = fileURLToPath(new URL('../testing/processes/pool-in-a-process.ts', import.meta.url));
    const parent = spawn(process.execPath, ['--import', './ts-loader.mjs', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pids = JSON.parse(await firstLineOf(parent.stdout)) as number[];
    expect(pids.map(isRunning)).toEqual([true, true]);
    parent.kill('SIGKILL');
    const ended = await Promise.allSettled(pids.map(gone));
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  }, 15_000);
});
