import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { livenessOf, ownIdentity } from './process-identity.js';

/** The number is part of the socket's name, as clients of PostgreSQL expect it. */
export const socketPort = 5432;

/** Longest path that every system takes for a unix socket, in bytes. */
const longestPath = 100;

/** `indexwright-<process>-<its start>-<random>`: says whose it is. */
const prefix = 'indexwright-';

/**
 * Makes a folder that only this user can enter: the embedded database asks for no password. It lies in the system's
 * folder for temporary files, since a data folder's path may be too long for a socket.
 */
export function makeSocketFolder(): string {
  const { pid, start } = ownIdentity();
  const name = `${prefix}${pid}-${start ?? 'none'}-`;
  const base = Buffer.byteLength(socketPath(join(tmpdir(), `${name}XXXXXX`))) <= longestPath ? tmpdir() : '/tmp';
  removeLeftovers(base);
  return mkdtempSync(join(base, name));
}

export function socketPath(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}

export function removeSocketFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Where a service was killed together with the process of its database, nobody else tidies up. */
function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    const [, pid, start] = /^indexwright-(\d+)-(\w+)-\w{6}$/.exec(name) ?? [];
    if (pid === undefined || start === undefined) continue;
    const owner = { ...ownIdentity(), pid: Number(pid), start: start === 'none' ? null : start };
    if (livenessOf(owner) === 'dead') removeIfAllowed(join(base, name));
  }
}

/** Another user's folder cannot be removed, and need not be. */
function removeIfAllowed(folder: string): void {
  try {
    removeSocketFolder(folder);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
