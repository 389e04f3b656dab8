import type { Dir } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptObject } from '../../documents/object-store.js';
import { folderTime } from './folder-time.js';

/** Files that are looked at before they are handed on. */
const portionSize = 500;

/**
 * Files below a folder of `root`, without following links, a portion at a time: however many there are, no more names
 * than that are held. A file that goes away meanwhile is left out.
 */
export async function* walkFiles(root: string, folder: string): AsyncGenerator<readonly KeptObject[]> {
  const now = await folderTime(root);
  let portion: KeptObject[] = [];
  for await (const key of keysBelow(root, folder)) {
    const kept = await describe(root, key, now);
    if (kept) portion.push(kept);
    if (portion.length < portionSize) continue;
    yield portion;
    portion = [];
  }
  yield portion;
}

async function* keysBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await openFolder(join(root, folder));
  if (!entries) return;
  for await (const entry of entries) {
    const key = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* keysBelow(root, key);
    else if (entry.isFile()) yield key;
  }
}

async function openFolder(path: string): Promise<Dir | undefined> {
  return unlessGone(opendir(path));
}

async function describe(root: string, key: string, now: number): Promise<KeptObject | undefined> {
  const facts = await unlessGone(lstat(join(root, key)));
  return facts && { key, ageMs: now - facts.mtimeMs };
}

async function unlessGone<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
