import { existsSync } from 'node:fs';

/** The folder that holds package.json, whether this runs from `src` or from `dist/src`. */
export function packageRoot(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) {
    const parent = new URL('..', folder);
    if (parent.href === folder.href) throw new Error('There is no package.json above the program.');
    folder = parent;
  }
  return folder;
}
