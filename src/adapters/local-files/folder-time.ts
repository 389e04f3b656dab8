import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Emptied at every look. No key can begin with a dot. */
const dial = '.clock';

/**
 * The time by the clock that dates the folder's files, in ms: that of this process may be another one, and may have been
 * set since they were written. Needs no space once it was asked for.
 */
export async function folderTime(root: string): Promise<number> {
  const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
  const handle = await open(join(root, dial), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
  }
}
