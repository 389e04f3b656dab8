import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The number is part of the socket's name, as clients of PostgreSQL expect it. */
export const socketPort = 5432;

/** Longest path that every system takes for a unix socket, in bytes. */
const longestPath = 100;

/**
 * Makes a folder that only this user can enter: the embedded database asks for no password. It lies in the system's
 * folder for temporary files, since a data folder's path may be too long for a socket.
 */
export function makeSocketFolder(): string {
  const base = Buffer.byteLength(socketPath(join(tmpdir(), 'indexwright-XXXXXX'))) <= longestPath ? tmpdir() : '/tmp';
  const folder = mkdtempSync(join(base, 'indexwright-'));
  chmodSync(folder, 0o700);
  return folder;
}

export function socketPath(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}

export function removeSocketFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
