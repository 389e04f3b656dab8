// Where things lie, whatever folder a script is called from.
import { fileURLToPath } from 'node:url';

/** Folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs TypeScript in a Node process: one option list for all that do. */
export const typescriptOptions = ['--import', new URL('../ts-loader.mjs', import.meta.url).href];
