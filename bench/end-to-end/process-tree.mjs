import { readdirSync, readFileSync } from 'node:fs';

/** A process and all below it. Linux only. */
export function treeOf(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(treeOf)];
  } catch {
    return []; // It ended meanwhile.
  }
}
