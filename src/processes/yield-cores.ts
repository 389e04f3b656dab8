import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const priority = constants.priority.PRIORITY_BELOW_NORMAL;
/** Linux shares the cores between sessions first, if it was built to: a priority counts only inside of one. */
const sessionPriority = '/proc/self/autogroup';
/** What a system says that has no such groups, or lets nobody change them. */
const unchangeable: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EAGAIN']);

/**
 * Has this process, which computes without pause on every core, give way to whatever answers people: the API, the
 * heartbeats and the database. It needs a session of its own (`detached`), or its parent's would be lowered with it.
 */
export function yieldCores(): void {
  setPriority(priority);
  try {
    writeFileSync(sessionPriority, String(priority));
  } catch (error) {
    // Then the priority has to do.
    if (!unchangeable.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
