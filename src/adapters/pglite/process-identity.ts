import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/** Names one run of one process, so that a later process with the same number is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Changes with every process that gets the number; null where the system does not tell. */
  readonly start: string | null;
  /** Where the number counts: a container has numbers of its own. Null where the system does not tell. */
  readonly space: string | null;
}

/** `unknown` where this process cannot see the other one's numbers, or cannot tell two processes of one number apart. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Who this process is. */
export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

/** Who has that number now, as far as this process can see. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, start: startOf(pid), space: ownSpace() };
}

/** Whether the process with that identity still runs. */
export function livenessOf(other: ProcessIdentity): Liveness {
  if (other.space !== ownSpace()) return 'unknown';
  const start = startOf(other.pid);
  if (other.start !== null && ownSpace() !== null) return start === other.start ? 'alive' : 'dead';
  return numberInUse(other.pid) ? 'unknown' : 'dead';
}

/** Time of its start in ticks since boot: field 22 of its stat line, counted behind the name, which may hold anything. */
function startOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not looked yet.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function ownSpace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return createHash('sha256')
      .update(`${boot} ${readlinkSync('/proc/self/ns/pid')}`)
      .digest('hex')
      .slice(0, 16);
  } catch {
    return null;
  }
}

function numberInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
