import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const portTools = new URL('../../scripts/services/free-port.mjs', import.meta.url).href;

/** A server of the test's own in a child process, to be paused, killed and started again. */
export abstract class OwnServer {
  private process: ChildProcess | undefined;

  protected constructor(
    private readonly readyWithinMs: number,
    private readonly lookEveryMs: number,
  ) {}

  protected abstract launch(): ChildProcess;
  protected abstract answers(): Promise<boolean>;
  /** What to say when it did not start. */
  protected abstract excuse(): Promise<string>;

  /** Resolves when it answers; at once when it runs already. */
  async start(): Promise<void> {
    if (this.process) return;
    const child = this.launch();
    this.process = child;
    let failure: Error | undefined;
    child.once('error', (error) => (failure = error));
    const giveUpAt = Date.now() + this.readyWithinMs;
    while (!(await this.answers())) {
      if (failure) throw failure;
      if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(await this.excuse());
      await pause(this.lookEveryMs);
    }
  }

  /** Goes on running, and answers nothing. */
  hang(): void {
    this.process?.kill('SIGSTOP');
  }

  wake(): void {
    this.process?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

interface Ports {
  freePorts(count: number): Promise<number[]>;
  answers(port: number): Promise<boolean>;
}

/** Ports of this machine: which are free, and where somebody listens. */
export async function ports(): Promise<Ports> {
  return (await import(portTools)) as Ports;
}
