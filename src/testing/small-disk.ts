import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Written at once while a disk is filled, in bytes; then a smaller part, until not one byte more has room. */
const portions = [1_048_576, 4_096, 1];

/** A small file system in memory, to be filled to its last byte and emptied again. Only an administrator may mount one. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** False where this process may not mount. Under CI it must: nothing is skipped there. */
  static async canBeMounted(): Promise<boolean> {
    const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
    try {
      const disk = await SmallDisk.mountOn(folder, 1);
      await disk.unmount();
      return true;
    } catch (error) {
      if (process.env.CI === 'true') throw error;
      process.stderr.write(`Tests of full disks are left out: ${String(error)}\n`);
      return false;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  static async mountOn(folder: string, megabytes: number): Promise<SmallDisk> {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  /** Resolves when there is no room for one byte more. */
  async fill(): Promise<void> {
    const file = await open(this.ballast, 'a');
    try {
      for (const bytes of portions) await writeUntilFull(file, Buffer.alloc(bytes));
    } finally {
      await file.close();
    }
  }

  free(): Promise<void> {
    return rm(this.ballast, { force: true });
  }

  /** Whoever still uses it keeps it until then. */
  async unmount(): Promise<void> {
    await run('umount', ['--lazy', this.folder]);
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, part: Buffer): Promise<void> {
  try {
    for (;;) await file.write(part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
