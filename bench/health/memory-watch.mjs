import { readFileSync } from 'node:fs';
import path from 'node:path';
import { treeOf } from '../end-to-end/process-tree.mjs';

const pageBytes = 4_096;
const megabyte = 2 ** 20;

/** Notes how much memory a tree holds, at intervals, and remembers the moment when it was most. */
export class MemoryWatch {
  constructor(pid, everyMs) {
    this.peak = { totalMb: 0, parts: [] };
    this.timer = setInterval(() => this.look(pid), everyMs);
  }

  look(pid) {
    const parts = treeOf(pid)
      .map((one) => ({ program: programOf(one), mb: residentMb(one) }))
      .filter(({ mb }) => mb > 0);
    const totalMb = parts.reduce((sum, { mb }) => sum + mb, 0);
    if (totalMb > this.peak.totalMb) this.peak = { totalMb, parts };
  }

  stop() {
    clearInterval(this.timer);
    return this.peak;
  }
}

/** Resident set, with the pages that processes share counted in each of them. */
function residentMb(pid) {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / megabyte;
  } catch {
    return 0;
  }
}

function programOf(pid) {
  try {
    const script = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .find((word) => word.endsWith('.js'));
    return script ? path.basename(script, '.js') : 'another program';
  } catch {
    return 'ended';
  }
}
