import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceSpool } from './source-spool.js';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'source-spool-'));
  folder = join(parent, 'spool');
});
afterEach(() => rm(parent, { recursive: true }));

const bytes = Buffer.alloc(300_000, 'source ');
const source = { sourceKey: 'sources/1', sourceHash: createHash('sha256').update(bytes).digest('hex') };

function spoolOf(stream: () => Readable): SourceSpool {
  return new SourceSpool({ get: () => Promise.resolve(stream()) }, folder);
}

describe('SourceSpool', () => {
  it('holds a source as a file until it is disposed of', async () => {
    const spool = spoolOf(() => Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]));
    await spool.start();
    const held = await spool.hold(source);
    expect((await readFile(held.path)).equals(bytes)).toBe(true);
    await held.dispose();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each<[string, () => Readable, string]>([
    ['is not the one that was uploaded', () => Readable.from([bytes.subarray(1)]), 'SOURCE_CHANGED'],
    [
      'cannot be read to its end',
      () =>
        Readable.from(
          (function* () {
            yield bytes;
            throw Object.assign(new Error('gone'), { code: 'SOURCE_UNREADABLE' });
          })(),
        ),
      'SOURCE_UNREADABLE',
    ],
  ])('keeps nothing of a source that %s', async (_, stream, code) => {
    const spool = spoolOf(stream);
    await spool.start();
    await expect(spool.hold(source)).rejects.toMatchObject({ code });
    expect(await readdir(folder)).toEqual([]);
  });

  it('stops with the reason of its caller, and keeps nothing', async () => {
    const never = (): Readable => new Readable({ read: () => undefined });
    const spool = spoolOf(never);
    await spool.start();
    const caller = new AbortController();
    const held = spool.hold(source, caller.signal);
    caller.abort(new Error('no longer wanted'));
    await expect(held).rejects.toThrow('no longer wanted');
    expect(await readdir(folder)).toEqual([]);
  });

  it('says that there is no place to copy to, without naming it', async () => {
    const spool = spoolOf(() => Readable.from([bytes]));
    const held = spool.hold(source);
    await expect(held).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(held).rejects.not.toThrow(folder);
  });

  it('removes what a dead process left, and nothing that may still be read', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'old'), 'x');
    await writeFile(join(folder, 'new'), 'x');
    const threeHoursAgo = Date.now() / 1_000 - 3 * 3_600;
    await utimes(join(folder, 'old'), threeHoursAgo, threeHoursAgo);
    await spoolOf(() => Readable.from([])).start();
    expect(await readdir(folder)).toEqual(['new']);
  });
});
