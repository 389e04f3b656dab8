import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../domain/errors.js';
import type { ObjectStore } from './object-store.js';
import { storing } from './storing.js';

/** A source as a file of our own, for as long as it is read. */
export interface SpooledSource {
  readonly path: string;
  /** Where its text may be put. */
  readonly textPath: string;
  /** Removes both. */
  dispose(): Promise<void>;
}

/** Longer than any reading may take. */
const leftoverAfterMs = 2 * 3_600_000;

/** Copies sources out of the object store into files that a child process can read in any order; never a whole one in memory. */
export class SourceSpool {
  constructor(
    private readonly objects: Pick<ObjectStore, 'get'>,
    private readonly folder: string,
  ) {}

  /** Makes the folder, and removes what processes left that died. @throws AppError STORAGE_UNAVAILABLE */
  async start(): Promise<void> {
    await storing(async () => {
      await mkdir(this.folder, { recursive: true });
      for (const name of await readdir(this.folder)) await this.removeIfOld(join(this.folder, name));
    });
  }

  /**
   * Copies a source, as it was uploaded: anything else must not become an index.
   *
   * @throws AppError SOURCE_CHANGED, SOURCE_UNREADABLE, STORAGE_UNAVAILABLE; the signal's reason when aborted.
   */
  async hold(
    source: { readonly sourceKey: string; readonly sourceHash: string },
    signal?: AbortSignal,
  ): Promise<SpooledSource> {
    const path = join(this.folder, randomUUID());
    const textPath = `${path}.text`;
    const dispose = async (): Promise<void> => {
      await rm(path, { force: true });
      await rm(textPath, { force: true });
    };
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(part: Buffer, _encoding, done) {
        hash.update(part);
        done(null, part);
      },
    });
    const stored = await this.objects.get(source.sourceKey);
    try {
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await storing(() => pipeline(stored, hashing, file, signal ? { signal } : {}));
      if (hash.digest('hex') !== source.sourceHash) {
        throw new AppError('SOURCE_CHANGED', 'The stored file is not the one that was uploaded.');
      }
    } catch (error) {
      await dispose();
      signal?.throwIfAborted();
      throw error;
    }
    return { path, textPath, dispose };
  }

  private async removeIfOld(path: string): Promise<void> {
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > leftoverAfterMs) await rm(path, { force: true });
  }
}
