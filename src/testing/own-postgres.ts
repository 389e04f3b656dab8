import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const services = new URL('../../scripts/services/postgres.mjs', import.meta.url).href;

interface Cluster {
  readonly url: string;
  readonly folder: string;
  start(): Promise<unknown>;
  crash(): Promise<unknown>;
  stop(): Promise<unknown>;
}

export interface OwnPostgresOptions {
  /** Gives what undoes it, which is called when the server has ended. */
  readonly prepareFolder?: (folder: string) => Promise<() => Promise<void>>;
}

/** A PostgreSQL server of the test's own, to be paused and crashed. */
export class OwnPostgres {
  private running = true;

  private constructor(private readonly cluster: Cluster) {}

  /** @param options `prepareFolder` is given the folder that will hold its data. */
  static async start(options: OwnPostgresOptions = {}): Promise<OwnPostgres> {
    const { startOwn } = (await import(services)) as { startOwn: (options: OwnPostgresOptions) => Promise<Cluster> };
    return new OwnPostgres(await startOwn(options));
  }

  get url(): string {
    return this.cluster.url;
  }

  /** Every session breaks off, and nothing is written any more. Nothing happens if it is down already. */
  async crash(): Promise<void> {
    if (this.running) await this.cluster.crash();
    this.running = false;
  }

  /** Resolves when it has recovered and takes connections. */
  async restart(): Promise<void> {
    if (!this.running) await this.cluster.start();
    this.running = true;
  }

  /** Goes on running, and answers nothing. */
  hang(): void {
    this.signal('SIGSTOP');
  }

  wake(): void {
    this.signal('SIGCONT');
  }

  async remove(): Promise<void> {
    if (this.running) this.wake();
    await this.restart();
    await this.cluster.stop();
  }

  /** Sessions are processes of their own, so all of them are meant. */
  private signal(name: NodeJS.Signals): void {
    const [first] = readFileSync(join(this.cluster.folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    const postmaster = Number(first);
    for (const pid of [postmaster, ...childrenOf(postmaster)]) {
      try {
        process.kill(pid, name);
      } catch (error) {
        // A session may have ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name, in brackets, may hold anything; what follows it is: state, parent, …
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
