// Translates the sources without judging them, for tests that start many processes: what is translated starts in a third
// of the time that it takes from its sources.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transformFile } from '@swc/core';
import { ensureFresh } from './compile.mjs';
import { root } from './project.mjs';

const options = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/** Gives the folder that holds every source, translated. */
export async function ensureTranspiled() {
  const folder = path.join(root, '.cache', 'transpiled');
  await ensureFresh(folder, async (fresh) => {
    for (const part of ['src', 'migrations']) await translateAll(part, fresh);
  });
  return folder;
}

async function translateAll(part, target) {
  const entries = await readdir(path.join(root, part), { recursive: true, withFileTypes: true });
  const sources = entries.filter(({ name }) => /(?<!\.test|\.d)\.ts$/.test(name));
  await Promise.all(sources.map(({ parentPath, name }) => translate(path.join(parentPath, name), target)));
}

async function translate(source, target) {
  const { code } = await transformFile(source, options);
  const file = path.join(target, path.relative(root, source)).replace(/\.ts$/, '.js');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, code);
}
