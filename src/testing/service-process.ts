import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readyLine = /^Indexwright is ready(?: at (http:\S+))?/m;
const startBoundMs = 120_000;

/** The program as a process of its own, started from its sources. */
export class ServiceProcess {
  private output = '';

  private constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  /** Resolves when it says that it is ready. `env` is all of its configuration. */
  static async start(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const service = ServiceProcess.launch(env);
    await service.ready();
    return service;
  }

  /**
   * Starts it without waiting; for starts that are meant to be refused.
   *
   * @param program another one, translated; it gets a channel to this process.
   */
  static launch(env: Readonly<Record<string, string>>, program?: string): ServiceProcess {
    const { PATH, HOME, TMPDIR } = process.env;
    const base = Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined));
    const child = spawn(process.execPath, program ? [program] : ['--import', './ts-loader.mjs', 'src/main.ts'], {
      cwd: root,
      env: { ...base, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(program ? (['ipc'] as const) : [])],
    });
    return new ServiceProcess(child);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the service could not be started');
    return this.child.pid;
  }

  get text(): string {
    return this.output;
  }

  get baseUrl(): string {
    const url = readyLine.exec(this.output)?.[1];
    if (!url) throw new Error(`the service gave no address:\n${this.output}`);
    return url;
  }

  /** @throws Error with its output if it ends or is not ready in time. */
  async ready(): Promise<void> {
    const deadline = Date.now() + startBoundMs;
    while (!readyLine.test(this.output)) {
      if (this.child.exitCode !== null)
        throw new Error(`the service ended with ${this.child.exitCode}:\n${this.output}`);
      if (Date.now() > deadline) throw new Error(`the service was not ready in time:\n${this.output}`);
      await Promise.race([once(this.child.stdout!, 'data'), once(this.child, 'exit'), pause(1_000)]);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** The exit code, or null after a signal that it did not handle. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Asks it to stop; kills it if it does not within 20 s. */
  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), 20_000);
    const code = await this.ended();
    clearTimeout(timer);
    return code;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
