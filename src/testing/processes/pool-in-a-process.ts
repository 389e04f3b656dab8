import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '../../logging/logger.js';
import { ProcessPool } from '../../processes/process-pool.js';
import type { Order, Told } from './obedient-child.js';

/**
 * A parent to be killed: prints the pids of its two children, one idle and one that computes without end, as one line of
 * JSON once both are in that state.
 */
const pool = new ProcessPool<Order, unknown>(
  {
    name: 'doomed',
    script: new URL('./obedient-child.js', import.meta.url),
    size: 2,
    startTimeoutMs: 20_000,
    init: {},
  },
  silentLogger,
);
await pool.start();
// At once, so that each child gets one.
const told = (await Promise.all([tell(), tell()])) as Told[];
const file = join(await mkdtemp(join(tmpdir(), 'pool-')), 'spinning');
void pool.run({ do: 'mark and spin', file }, { timeoutMs: 600_000 });
while (!existsSync(file)) await pause(10);
console.log(JSON.stringify(told.map((child) => child.pid)));

function tell(): Promise<unknown> {
  return pool.run({ do: 'tell' }, { timeoutMs: 5_000 });
}
