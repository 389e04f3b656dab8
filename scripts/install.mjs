// Installs the packages if they are missing or not those of the lock file.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './project.mjs';
import { runCommand } from './run-command.mjs';

const lockFile = path.join(root, 'package-lock.json');
const stampFile = path.join(root, 'node_modules', '.indexwright-install');
/** What npm itself wrote about what is there. */
const presentFile = path.join(root, 'node_modules', '.package-lock.json');

/** Resolves when the packages of the lock file are there; says so only if that takes a while. */
export async function ensureInstalled() {
  const lock = await readFile(lockFile, 'utf8');
  const wanted = createHash('sha256').update(lock).update(process.platform).update(process.arch).digest('hex');
  if ((await readIfThere(stampFile)) === wanted) return;
  if (!(await matches(JSON.parse(lock)))) await install();
  await writeFile(stampFile, wanted);
}

async function install() {
  console.log('Installing packages; the first time takes about a minute …');
  // Development packages hold the compiler. No package here needs its install script.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await runCommand('Installing the packages', command, [...first, ...args], { cwd: root });
}

/** True if every package that this machine needs is there in the version of the lock file. */
async function matches(lock) {
  const present = await readIfThere(presentFile);
  if (present === undefined) return false;
  const there = JSON.parse(present).packages;
  return Object.entries(lock.packages).every(
    ([name, { version, optional }]) =>
      name === '' || (there[name] ? there[name].version === version : optional === true),
  );
}

function readIfThere(file) {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
