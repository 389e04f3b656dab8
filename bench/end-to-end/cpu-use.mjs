import { readFileSync } from 'node:fs';
import pg from 'pg';
import { treeOf } from './process-tree.mjs';

const ticksPerSecond = 100;

/** CPU time of processes, all below them, and the database's processes that work for them. Linux only, database on this machine. */
export class CpuUse {
  static async start(databaseUrl) {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    return new CpuUse(client);
  }

  constructor(client) {
    this.client = client;
  }

  /** What each process has used so far. */
  async look(pids, databaseName) {
    const { rows } = await this.client.query('select pid from pg_stat_activity where datname = $1', [databaseName]);
    const all = [...pids.flatMap(treeOf), ...rows.map(({ pid }) => pid)];
    return new Map(all.map((pid) => [pid, secondsOf(pid)]));
  }

  async stop() {
    await this.client.end();
  }
}

/** What was used between two looks, in seconds; of processes that are there at the second. */
export function usedBetween(before, after) {
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

function secondsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return 0; // It ended meanwhile.
  }
}
