import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const ticksPerSecond = 100;
const lookMs = 500;
const longestWaitMs = 120_000;

/** CPU seconds that all programs together have used since the machine started. Linux only. */
export function cpuSecondsOfAll() {
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts + stolen) / ticksPerSecond;
}

/** Which share of the cores was taken by programs that are not the benchmark's. */
export function othersShare(allSeconds, ownSeconds, seconds) {
  return Math.max(0, allSeconds - ownSeconds) / (seconds * availableParallelism());
}

/** Resolves when the machine has been nearly idle for a moment, or when that takes too long. */
export async function untilIdle(share) {
  for (const giveUpAt = Date.now() + longestWaitMs; Date.now() < giveUpAt;) {
    const before = cpuSecondsOfAll();
    await pause(lookMs);
    if (othersShare(cpuSecondsOfAll() - before, 0, lookMs / 1_000) < share) return;
  }
}
