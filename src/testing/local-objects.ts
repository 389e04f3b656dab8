import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalFiles } from '../adapters/local-files/local-files.js';
import type { ObjectStore } from '../documents/object-store.js';

/** An object store in a temporary folder. */
export interface LocalObjects {
  readonly objects: ObjectStore;
  /** The last part of the name of every file in it, half-written ones too. */
  names(): Promise<string[]>;
  /** Where the file of a key lies. */
  path(key: string): string;
  close(): Promise<void>;
}

/** Opens an empty object store for a test. */
export async function openLocalObjects(): Promise<LocalObjects> {
  const folder = await mkdtemp(join(tmpdir(), 'objects-'));
  const objects = new LocalFiles(folder);
  await objects.start();
  return {
    objects,
    names: async () => {
      const entries = await readdir(folder, { withFileTypes: true, recursive: true });
      return entries.filter((entry) => !entry.isDirectory() && entry.name !== '.clock').map(({ name }) => name);
    },
    path: (key) => join(folder, key),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
