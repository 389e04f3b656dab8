import { createHash, randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { KeptObject, ObjectStore, StoredObject } from '../../documents/object-store.js';
import { AppError } from '../../domain/errors.js';
import { folderTime } from './folder-time.js';
import { storageFailure, unreadable } from './storage-failure.js';
import { walkFiles } from './walk-files.js';

/** Holds files on their way in. No key can begin with a dot. */
const incomingFolder = '.incoming';
/** An upload touches its file with every part; one that was silent for so long belongs to a process that died. */
const staleAfterMs = 3_600_000;
const keyForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const longestKey = 200;

/**
 * Keeps sources as files below one folder. A file is written under another name, forced to disk and then renamed, so
 * that under its key it is there whole or not at all. Symbolic links below the folder are not followed.
 */
export class LocalFiles implements ObjectStore {
  /** The folder's real path; it may itself be reached through a link. */
  private root = '';
  private readonly writing = new Set<string>();

  constructor(private readonly folder: string) {}

  async start(): Promise<void> {
    try {
      await mkdir(join(this.folder, incomingFolder), { recursive: true });
      this.root = await realpath(this.folder);
      await this.sweep();
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async put(key: string, source: Readable, maxBytes: number): Promise<StoredObject> {
    this.refuseKey(key);
    if (this.writing.has(key)) throw new Error(`object ${key} is being written already`);
    this.writing.add(key);
    const incoming = join(this.root, incomingFolder, `${randomUUID()}.part`);
    try {
      const received = await this.receive(incoming, source, maxBytes);
      await this.settle(incoming, key);
      return { key, ...received };
    } catch (error) {
      source.destroy();
      await rm(incoming, { force: true });
      throw error;
    } finally {
      this.writing.delete(key);
    }
  }

  async get(key: string): Promise<Readable> {
    this.refuseKey(key);
    let handle: FileHandle | undefined;
    try {
      await this.refuseLinkedFolder(key);
      handle = await open(join(this.root, key), constants.O_RDONLY | constants.O_NOFOLLOW);
      if (!(await handle.stat()).isFile()) throw new AppError('SOURCE_CHANGED', 'The stored file is not a file.');
      return readable(handle);
    } catch (error) {
      await handle?.close();
      throw error instanceof AppError ? error : unreadable(error);
    }
  }

  async delete(key: string): Promise<void> {
    this.refuseKey(key);
    try {
      if (await this.isMissing(dirname(key))) return;
      await this.refuseLinkedFolder(key);
      await rm(join(this.root, key), { force: true });
    } catch (error) {
      throw error instanceof AppError ? error : storageFailure(error);
    }
  }

  async exists(key: string): Promise<boolean> {
    this.refuseKey(key);
    return !(await this.isMissing(key));
  }

  list(folder: string): AsyncIterable<readonly KeptObject[]> {
    this.refuseKey(folder);
    return walkFiles(this.root, folder);
  }

  async sweep(): Promise<number> {
    const folder = join(this.root, incomingFolder);
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
    const oldest = (await folderTime(this.root)) - staleAfterMs;
    let removed = 0;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!entry.isFile() || (await lastTouch(path)) >= oldest) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  private async receive(
    path: string,
    source: Readable,
    maxBytes: number,
  ): Promise<{ sizeBytes: number; sha256: string }> {
    const handle = await open(path, 'wx', 0o600).catch((error: unknown) => {
      throw storageFailure(error);
    });
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      for await (const part of source as AsyncIterable<Buffer>) {
        sizeBytes += part.length;
        if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
        hash.update(part);
        await writeWhole(handle, part);
      }
      await handle.sync().catch((error: unknown) => {
        throw storageFailure(error);
      });
    } finally {
      await handle.close();
    }
    return { sizeBytes, sha256: hash.digest('hex') };
  }

  /** Gives a complete file its key. Keys are made for one upload each, so nobody else writes between look and rename. */
  private async settle(incoming: string, key: string): Promise<void> {
    const path = join(this.root, key);
    try {
      const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await this.refuseLinkedFolder(key);
      if (!(await this.isMissing(key))) throw new Error(`object ${key} exists already`);
      await rename(incoming, path);
      await syncFolders(dirname(path), created ? dirname(created) : dirname(path));
    } catch (error) {
      throw storageFailure(error);
    }
  }

  private async isMissing(key: string): Promise<boolean> {
    try {
      await lstat(join(this.root, key));
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
      throw error;
    }
  }

  private refuseKey(key: string): void {
    if (this.root === '') throw new Error('the object store is not started');
    if (key.length > longestKey || !keyForm.test(key)) throw new RangeError('not a key of an object');
  }

  private async refuseLinkedFolder(key: string): Promise<void> {
    const folder = dirname(join(this.root, key));
    if ((await realpath(folder)) !== folder) {
      throw new AppError('SOURCE_CHANGED', 'The stored file lies behind a symbolic link.');
    }
  }
}

/** The bytes of an open file; a disk that fails under way is told as one that fails at once. */
function readable(handle: FileHandle): Readable {
  const file = handle.createReadStream();
  const bytes = file.pipe(new PassThrough());
  file.once('error', (error) => bytes.destroy(unreadable(error) as Error));
  bytes.once('close', () => file.destroy());
  return bytes;
}

/** When an upload last wrote to its file, in ms; never, for one that has just been settled. */
async function lastTouch(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Infinity;
    throw error;
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The file is larger than ${maxBytes} bytes.`, {
    limit: 'uploadBytes',
    max: maxBytes,
  });
}

/** A write may take a part of its bytes only. */
async function writeWhole(handle: FileHandle, part: Buffer): Promise<void> {
  try {
    for (let at = 0; at < part.length;) at += (await handle.write(part, at)).bytesWritten;
  } catch (error) {
    throw storageFailure(error);
  }
}

/** A name is only safe once its folder is on disk, and a new folder once the one above it is. */
async function syncFolders(from: string, to: string): Promise<void> {
  for (let folder = from; ; folder = dirname(folder)) {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (relative(folder, to) === '') return;
  }
}
