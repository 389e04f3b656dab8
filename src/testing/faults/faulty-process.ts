import { join } from 'node:path';
import { ServiceProcess } from '../service-process.js';
import type { FailpointName } from './failpoints.js';
import type { Order, Reached, Strike } from './strike.js';

const transpiler = new URL('../../../scripts/transpile.mjs', import.meta.url).href;
const reachWithinMs = 60_000;

/** Path of the translated program with failpoints, which is made if it is not of the present sources. */
export async function programWithFailpoints(): Promise<string> {
  const { ensureTranspiled } = (await import(transpiler)) as { ensureTranspiled: () => Promise<string> };
  return join(await ensureTranspiled(), 'src', 'testing', 'faults', 'main-with-failpoints.js');
}

/** A process of the service that can be struck at its failpoints. */
export class FaultyProcess {
  private readonly passed = new Set<FailpointName>();
  private heard: () => void = () => undefined;
  private closed = false;

  private constructor(readonly service: ServiceProcess) {
    service.child.on('message', ({ reached }: Reached) => {
      this.passed.add(reached);
      this.heard();
    });
    service.child.on('disconnect', () => {
      this.closed = true;
      this.heard();
    });
  }

  /** Starts it without waiting. @param program as {@link programWithFailpoints} gives it. */
  static launch(env: Readonly<Record<string, string>>, program: string): FaultyProcess {
    return new FaultyProcess(ServiceProcess.launch(env, program));
  }

  get alive(): boolean {
    return !this.closed;
  }

  /** Has it struck the `pass`th time that it gets there. */
  arm(name: FailpointName, strike: Strike = 'kill', pass = 1): void {
    this.passed.delete(name);
    this.order({ type: 'arm', name, strike, pass });
  }

  /** Takes back what was ordered and has not come to pass. */
  disarm(): void {
    if (this.alive) this.order({ type: 'disarm' });
  }

  release(name: FailpointName): void {
    this.order({ type: 'release', name });
  }

  /** Sets its clock to be wrong by so much. */
  setClock(skewMs: number): void {
    this.order({ type: 'set clock', skewMs });
  }

  /** Resolves when the strike came. @throws Error if it ends without, or does not get there. */
  async reached(name: FailpointName): Promise<void> {
    const deadline = Date.now() + reachWithinMs;
    while (!this.passed.has(name)) {
      if (this.closed) throw new Error(`the process ended before "${name}":\n${this.service.text}`);
      if (Date.now() > deadline) throw new Error(`"${name}" was never reached:\n${this.service.text}`);
      await this.news(1_000);
    }
  }

  async kill(): Promise<void> {
    this.service.signal('SIGKILL');
    await this.service.ended();
  }

  private order(order: Order): void {
    this.service.child.send(order, () => undefined);
  }

  private news(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atMostMs);
      this.heard = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The one of some processes that was struck first; the others are left in peace. */
export async function firstReached(processes: readonly FaultyProcess[], name: FailpointName): Promise<FaultyProcess> {
  const first = await Promise.any(processes.map((each) => each.reached(name).then(() => each)));
  for (const other of processes) if (other !== first) other.disarm();
  return first;
}
