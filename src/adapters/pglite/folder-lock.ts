import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.js';

/** In ms. */
export interface LockTimes {
  /** Between two signs of life of a holder. */
  readonly beat: number;
  /** Silence after which a holder that cannot be seen counts as gone; it is listened to that long. */
  readonly silence: number;
  /** How long a holder whose own parent is gone may take to close what it holds, before it is killed. */
  readonly closing: number;
  /** Between two looks at a lock that may become free. */
  readonly look: number;
}

export const lockTimes: LockTimes = { beat: 2_000, silence: 20_000, closing: 20_000, look: 100 };

interface Holder {
  readonly holder: ProcessIdentity;
  /** The process that the holder works for: when it is gone, the holder is about to end. */
  readonly owner: ProcessIdentity;
}

const released = 'released\n';

/** Another living process holds the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';

  /** @param holderPid its number, where it can be told. */
  constructor(readonly holderPid: number | null) {
    super('the folder is in use by another process');
  }
}

/**
 * Keeps a folder to one process at a time. The lock is the file with the highest number, made exclusively, so that of
 * any number of processes that take a dead one's place only one succeeds; the newest file is never removed, or a process
 * that stood still could count from an older one. A holder in another container cannot be seen: it counts as alive as
 * long as it keeps touching its file.
 */
export class FolderLock {
  private readonly beat: NodeJS.Timeout;

  private constructor(
    private readonly file: string,
    beatMs: number,
  ) {
    this.beat = setInterval(() => touch(this.file), beatMs);
    this.beat.unref();
  }

  /**
   * @param folder where the lock files lie; made if it is missing.
   * @throws FolderInUse if a living process holds it and is not about to end.
   */
  static async acquire(folder: string, owner: ProcessIdentity, times: LockTimes = lockTimes): Promise<FolderLock> {
    mkdirSync(folder, { recursive: true });
    for (;;) {
      const newest = newestNumber(folder);
      if (newest > 0) await untilFree(join(folder, String(newest)), times);
      const own = newest + 1;
      const file = join(folder, String(own));
      if (!create(file, { holder: ownIdentity(), owner })) continue;
      if (newestNumber(folder) === own) {
        removeOlder(folder, own);
        return new FolderLock(file, times.beat);
      }
      // Others counted on while this process stood still.
      rmSync(file, { force: true });
    }
  }

  release(): void {
    clearInterval(this.beat);
    writeFileSync(this.file, released);
  }
}

/**
 * Waits while the holder may be about to end; throws FolderInUse if it is not. One that works for nobody any more and
 * does not end, for example because it was stopped, is killed: nothing that it acknowledged is lost by that.
 */
async function untilFree(file: string, times: LockTimes): Promise<void> {
  const firstLook = performance.now();
  const firstBeat = lastBeat(file);
  for (;;) {
    const text = readIfThere(file);
    if (text === undefined || text === released) return;
    const entry = parse(text);
    const state = entry ? livenessOf(entry.holder) : 'unknown';
    if (state === 'dead') return;
    const waited = performance.now() - firstLook;
    if (state === 'unknown') {
      // However old the last sign is by this clock: it may have been set since, or not be the holder's.
      if (lastBeat(file) !== firstBeat) throw new FolderInUse(null);
      if (waited > times.silence) return;
    } else if (entry) {
      if (livenessOf(entry.owner) !== 'dead') throw new FolderInUse(entry.holder.pid);
      if (waited > times.closing) kill(entry.holder.pid);
    }
    await pause(times.look);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function newestNumber(folder: string): number {
  return Math.max(0, ...numbers(folder));
}

function numbers(folder: string): number[] {
  return readdirSync(folder)
    .map(Number)
    .filter((number) => Number.isSafeInteger(number) && number > 0);
}

function removeOlder(folder: string, own: number): void {
  for (const number of numbers(folder)) if (number < own) rmSync(join(folder, String(number)), { force: true });
}

/** False if the file is there already. */
function create(file: string, entry: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(entry), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined for a file that its maker has not finished, or never will. */
function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

function lastBeat(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // The folder was removed under a running service; the database itself will report it.
  }
}
