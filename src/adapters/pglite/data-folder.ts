import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartRefusal } from '../../domain/start-refusal.js';
import { FolderInUse, FolderLock } from './folder-lock.js';
import type { ProcessIdentity } from './process-identity.js';

const unfinishedPrefix = 'database.new-';

/** Names inside the data folder. */
export const dataFolderNames = { database: 'database', lock: 'database.lock' } as const;

/**
 * Takes the data folder for this process and makes the database in it if there is none. The new one appears under its
 * name when it is whole, so that a first start that is killed leaves nothing that looks like a database.
 *
 * @throws StartRefusal if another process has the folder, or it cannot be written.
 */
export async function takeDataFolder(dataDir: string, owner: ProcessIdentity): Promise<FolderLock> {
  try {
    mkdirSync(dataDir, { recursive: true });
    const lock = await FolderLock.acquire(join(dataDir, dataFolderNames.lock), owner);
    await makeIfMissing(dataDir);
    return lock;
  } catch (error) {
    throw explain(error, dataDir);
  }
}

async function makeIfMissing(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(unfinishedPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  const database = join(dataDir, dataFolderNames.database);
  if (existsSync(database)) return;
  const unfinished = join(dataDir, `${unfinishedPrefix}${process.pid}`);
  await makeInOwnProcess(unfinished);
  renameSync(unfinished, database);
}

/** Making a database takes twice the memory of running one; all of it goes back when that process ends. */
async function makeInOwnProcess(folder: string): Promise<void> {
  const script = fileURLToPath(new URL('./create-database.js', import.meta.url));
  const child = fork(script, [folder], { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-4_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new Error(`the database could not be made (exit ${code}): ${complaint}`);
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof FolderInUse) {
    const who = error.holderPid === null ? 'another process' : `the process ${error.holderPid}`;
    return new StartRefusal(
      `The data folder ${dataDir} is in use by ${who}: stop it first, or choose another DATA_DIR.`,
    );
  }
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : unwritable[code];
  return reason
    ? new StartRefusal(`The data folder ${dataDir} cannot be written: ${reason}.`, { cause: error })
    : error;
}

const unwritable: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of that name',
  ENOSPC: 'the disk is full',
};
