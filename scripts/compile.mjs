// Compiles the sources to `dist` if they changed since the last time.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './project.mjs';
import { runCommand } from './run-command.mjs';

const stampName = '.sources';
const inputs = ['src', 'migrations', 'ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Resolves when `dist` holds what the sources say. A failed build leaves the old one as it was. */
export function ensureBuilt() {
  return ensureFresh(path.join(root, 'dist'), async (fresh) => {
    console.log('Building …');
    const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh, '--noEmitOnError'];
    await runCommand('Building', process.execPath, args, { cwd: root });
  });
}

/** Has `compile` fill a new folder, which takes the place of `folder` when it is whole, if the sources changed. */
export async function ensureFresh(folder, compile) {
  const sources = await fingerprint();
  if ((await readIfThere(path.join(folder, stampName))) === sources) return;
  const fresh = path.join(root, 'node_modules', '.cache', 'indexwright', `${path.basename(folder)}-${process.pid}`);
  try {
    await compile(fresh);
    await writeFile(path.join(fresh, stampName), sources);
    await rm(folder, { recursive: true, force: true });
    await mkdir(path.dirname(folder), { recursive: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function fingerprint() {
  const hash = createHash('sha256');
  for (const input of inputs) await add(hash, input);
  return hash.digest('hex');
}

async function add(hash, name) {
  const file = path.join(root, name);
  const entries = await readdir(file, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (!entries) {
    hash.update(`${name}\0`).update(await readFile(file));
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.name.endsWith('.test.ts')) await add(hash, path.join(name, entry.name));
  }
}

function readIfThere(file) {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
