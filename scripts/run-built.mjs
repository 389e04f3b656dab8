import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './compile.mjs';
import { ensureInstalled } from './install.mjs';
import { root } from './project.mjs';
import { fail } from './run-command.mjs';

/** Installs and builds if needed, then becomes the program `dist/<entry>`. */
export async function runBuilt(entry) {
  try {
    await ensureInstalled();
    await ensureBuilt();
  } catch (error) {
    fail(error);
  }
  if (process.exitCode) return;
  process.setSourceMapsEnabled(true);
  process.chdir(root);
  await import(pathToFileURL(path.join(root, 'dist', entry)).href);
}
