import type { ReadinessProbe } from '../http/readiness.js';
import type { Logger } from '../logging/logger.js';

/** What has been started, in order, so that it can be stopped in the opposite one; and how each part says that it is well. */
export class Lifecycle {
  readonly probes: ReadinessProbe[] = [];
  private readonly stops: { readonly part: string; readonly stop: () => Promise<void> }[] = [];
  private stopping: Promise<void> | undefined;

  /** @param onLost told if a part is lost for good: only another process can help. */
  constructor(
    readonly logger: Logger,
    readonly onLost: (error: Error) => void,
  ) {}

  /** To be called before the part is started: a start that fails half way is stopped as well. */
  add(part: string, stop: () => Promise<void>): void {
    this.stops.push({ part, stop });
  }

  /** A part without which the service cannot do its work. */
  watch(name: string, check: ReadinessProbe['check']): void {
    this.probes.push({ name, needed: true, check });
  }

  /** A part that makes the service faster; without it, it works all the same. */
  watchExtra(name: string, check: ReadinessProbe['check']): void {
    this.probes.push({ name, needed: false, check });
  }

  /** Safe to call twice; a part that cannot be stopped does not keep the others from it. */
  stop(): Promise<void> {
    return (this.stopping ??= this.stopAll());
  }

  private async stopAll(): Promise<void> {
    for (const { part, stop } of this.stops.reverse()) {
      await stop().catch((error: unknown) => this.logger.warn('a part could not be stopped', { part, error }));
    }
  }
}
