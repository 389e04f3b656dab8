import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { objectStoreContract } from '../../testing/contract/object-store-contract.js';
import { LocalFiles } from './local-files.js';
import { storageFailure } from './storage-failure.js';

const bytes = (text: string): Readable => Readable.from([Buffer.from(text)]);

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => !entry.isDirectory() && entry.name !== '.clock').map((entry) => entry.name);
}

objectStoreContract('a local folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'local-files-'));
  const store = new LocalFiles(join(folder, 'data', 'objects'));
  await store.start();
  return {
    store,
    names: () => filesIn(folder),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('LocalFiles', () => {
  let folder: string;
  let root: string;
  let store: LocalFiles;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'local-files-'));
    root = join(folder, 'objects');
    store = new LocalFiles(root);
    await store.start();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('does not work before it is started', async () => {
    await expect(new LocalFiles(root).get('any')).rejects.toThrow('not started');
  });

  it('removes what a dead process left half-written, and nothing that is still arriving', async () => {
    const incoming = join(root, '.incoming');
    await writeFile(join(incoming, 'old.part'), 'x');
    await writeFile(join(incoming, 'new.part'), 'x');
    const twoHoursAgo = Date.now() / 1000 - 7_200;
    await utimes(join(incoming, 'old.part'), twoHoursAgo, twoHoursAgo);
    await new LocalFiles(root).start();
    expect(await readdir(incoming)).toEqual(['new.part']);
  });

  it('works where the data folder itself is a link', async () => {
    await symlink(root, join(folder, 'link'));
    const linked = new LocalFiles(join(folder, 'link'));
    await linked.start();
    await linked.put('aa/bb', bytes('text'), 100);
    expect(String(await buffer(await store.get('aa/bb')))).toBe('text');
  });

  it('follows no link to a file', async () => {
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(join(folder, 'secret'), join(root, 'linked'));
    await expect(store.get('linked')).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });

  it('follows no link to a folder', async () => {
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside', 'secret'), 'secret');
    await symlink(join(folder, 'outside'), join(root, 'linked'));
    await expect(store.get('linked/secret')).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
    await expect(store.put('linked/new', bytes('x'), 100)).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
    await expect(store.delete('linked/secret')).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
    expect(await readdir(join(folder, 'outside'))).toEqual(['secret']);
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
  });

  it('gives no folder as an object', async () => {
    await mkdir(join(root, 'folder'));
    await expect(store.get('folder')).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });

  it('says that it cannot store when its folder is gone, without naming a path', async () => {
    await rm(root, { recursive: true });
    const stored = store.put('aa/bb', bytes('x'), 100);
    await expect(stored).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(stored).rejects.not.toThrow(folder);
  });

  it('says that it cannot store when something stands in its way', async () => {
    await writeFile(join(root, 'aa'), 'a file where a folder has to be');
    await expect(store.put('aa/bb', bytes('x'), 100)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
  });
});

describe('storageFailure', () => {
  it('names a full disk, and no path', () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write '/data/x'"), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    expect(storageFailure(full)).toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: 'The file cannot be stored: there is no space left.',
    });
  });

  it('leaves a bug a bug', () => {
    const bug = new TypeError('undefined is not a function');
    expect(storageFailure(bug)).toBe(bug);
  });
});
