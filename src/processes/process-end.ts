import { ProcessLost } from './process-lost.js';

/** How a child process ended, as the operating system tells it, with the last lines it wrote. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its standard error; for the log only. */
  readonly stderr: string;
  /** Why it could not be started at all. */
  readonly cause?: Error;
}

/** V8 gives up with an abort or a trap when its heap is full; behind a shell the signal shows as 128 plus its number. */
const outOfMemorySignals: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];
const outOfMemoryCodes: readonly (number | null)[] = [134, 133, 132];
const outOfMemoryWords = /out of memory|allocation failed|bad_alloc/i;

/** The error of a request whose process ended under it. */
export function lossOf(name: string, end: ProcessEnd): ProcessLost {
  if (end.cause) return new ProcessLost('exit', `The ${name} process could not be started.`, { cause: end.cause });
  if (ranOutOfMemory(end)) return new ProcessLost('memory', `The ${name} process ran out of memory.`);
  if (end.signal === 'SIGXCPU') return new ProcessLost('cpu', `The ${name} process used up its processor time.`);
  const how = end.signal ? `was killed by ${end.signal}` : `ended with code ${end.code}`;
  return new ProcessLost('exit', `The ${name} process ${how}.`);
}

function ranOutOfMemory(end: ProcessEnd): boolean {
  if (outOfMemorySignals.includes(end.signal) || outOfMemoryCodes.includes(end.code)) return true;
  return end.code !== 0 && end.signal === null && outOfMemoryWords.test(end.stderr);
}
