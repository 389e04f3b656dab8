import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedDatabase } from '../adapters/pglite/embedded-database.js';
import { livenessOf, ownIdentity } from '../adapters/pglite/process-identity.js';
import { migrate } from '../database/migrate.js';
import { silentLogger } from '../logging/logger.js';
import { migrationFingerprint } from './migration-fingerprint.js';
import type { TemporaryDatabase } from './test-database.js';

const cache = fileURLToPath(new URL('../../node_modules/.cache/indexwright/', import.meta.url));
const templatePrefix = 'pglite-';
const unfinishedPrefix = 'unfinished-';
const copyPrefix = 'indexwright-test-';
const templateKeptMs = 24 * 3_600_000;

/** The embedded database on a copy of a migrated data folder, which is faster than making and migrating one. */
export async function openPGliteCopy(): Promise<TemporaryDatabase> {
  const dataDir = await copyMigratedFolder();
  const embedded = embeddedAt(dataDir);
  const connection = await embedded.start();
  const remove = async (): Promise<void> => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { connection, remove };
}

/** A data folder with a migrated, empty database; it belongs to the caller, and is removed if its process is killed. */
export async function copyMigratedFolder(): Promise<string> {
  const template = await migratedTemplate();
  removeLeftovers();
  const { pid, start } = ownIdentity();
  const dataDir = mkdtempSync(join(tmpdir(), `${copyPrefix}${pid}_${start ?? 'none'}_`));
  cpSync(template, dataDir, { recursive: true });
  return dataDir;
}

function embeddedAt(dataDir: string): EmbeddedDatabase {
  const onLost = (error: Error): void => {
    throw error;
  };
  return new EmbeddedDatabase({ dataDir, idleMs: 60_000, onLost }, silentLogger);
}

/** Appears under its name when it is whole; of several processes that make it at once, one wins. */
async function migratedTemplate(): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const template = join(cache, `${templatePrefix}${migrationFingerprint()}`);
  if (!existsSync(template)) await makeTemplate(template);
  const now = new Date();
  utimesSync(template, now, now);
  removeOldTemplates(template);
  return template;
}

async function makeTemplate(template: string): Promise<void> {
  const unfinished = mkdtempSync(join(cache, unfinishedPrefix));
  const embedded = embeddedAt(unfinished);
  await migrate(await embedded.start(), silentLogger);
  await embedded.stop();
  try {
    renameSync(unfinished, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeOldTemplates(current: string): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (folder !== current && age > templateKeptMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies whose process was killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(copyPrefix))) {
    const [pid, start] = name.slice(copyPrefix.length).split('_');
    const owner = { ...ownIdentity(), pid: Number(pid), start: start === 'none' ? null : (start ?? null) };
    if (livenessOf(owner) === 'dead') rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
