import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderLock, lockTimes } from './folder-lock.js';
import { identityOf, ownIdentity, type ProcessIdentity } from './process-identity.js';

const self = ownIdentity();
/** Has this process's number, but began at another time. */
const formerOwner: ProcessIdentity = { ...self, start: '1' };
const elsewhere: ProcessIdentity = { ...self, space: 'another container' };
const quick = { ...lockTimes, silence: 300, closing: 300, look: 10 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const leave = (number: number, holder: ProcessIdentity, owner: ProcessIdentity = holder): void =>
  writeFileSync(join(folder, String(number)), JSON.stringify({ holder, owner }));

describe('FolderLock', () => {
  it('refuses a folder that a living process holds, and names the process', async () => {
    const lock = await FolderLock.acquire(folder, self);
    await expect(FolderLock.acquire(folder, self)).rejects.toMatchObject({ name: 'FolderInUse', holderPid: self.pid });
    lock.release();
  });

  it('gives the folder to the next one after release', async () => {
    (await FolderLock.acquire(folder, self)).release();
    (await FolderLock.acquire(folder, self)).release();
    expect(readdirSync(folder)).toEqual(['2']);
  });

  it('takes over from a process that is gone, also if its number is in use again', async () => {
    leave(4, formerOwner);
    (await FolderLock.acquire(folder, self)).release();
    leave(6, { ...self, pid: 4_194_303, start: '5' });
    const lock = await FolderLock.acquire(folder, self);
    expect(readdirSync(folder)).toEqual(['7']);
    lock.release();
  });

  it('gives a dead process’s place to exactly one of many', async () => {
    leave(1, formerOwner);
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.acquire(folder, self)));
    const won = tries.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(won).toHaveLength(1);
    won[0]?.release();
  });

  it('waits for a holder whose own parent is gone', async () => {
    leave(1, self, formerOwner);
    const waiting = FolderLock.acquire(folder, self, { ...quick, closing: 60_000 });
    writeFileSync(join(folder, '1'), 'released\n');
    (await waiting).release();
  });

  it('kills such a holder if it does not end, and takes over', async () => {
    const holder = spawn('sleep', ['60']);
    const ended = once(holder, 'exit');
    leave(1, identityOf(holder.pid ?? 0), formerOwner);
    (await FolderLock.acquire(folder, self, quick)).release();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('believes a holder that it cannot see as long as that touches its file', async () => {
    leave(1, elsewhere);
    const beat = setInterval(() => utimesSync(join(folder, '1'), new Date(), new Date()), 20);
    await expect(FolderLock.acquire(folder, self, quick)).rejects.toMatchObject({ holderPid: null });
    clearInterval(beat);
    (await FolderLock.acquire(folder, self, quick)).release();
  });

  it('believes it also when its clock and this one are hours apart', async () => {
    leave(1, elsewhere);
    let seconds = 0;
    const touch = (): void => utimesSync(join(folder, '1'), (seconds += 1), seconds);
    touch();
    const beat = setInterval(touch, 20);
    await expect(FolderLock.acquire(folder, self, quick)).rejects.toMatchObject({ holderPid: null });
    clearInterval(beat);
  });

  it('takes over a file that its maker never finished', async () => {
    writeFileSync(join(folder, '1'), '{"hol');
    (await FolderLock.acquire(folder, self, quick)).release();
  });

  it('keeps touching its file', async () => {
    const lock = await FolderLock.acquire(folder, self, { ...quick, beat: 20 });
    const file = join(folder, '1');
    utimesSync(file, new Date(0), new Date(0));
    const watcher = watch(file);
    await once(watcher, 'change');
    watcher.close();
    expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(5_000);
    lock.release();
  });
});
