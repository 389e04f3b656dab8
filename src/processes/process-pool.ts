import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { lossOf } from './process-end.js';
import { ProcessLost } from './process-lost.js';
import { RequestProcess } from './request-process.js';
import { WaitingLine } from './waiting-line.js';

/** How many children a pool keeps, what they run, and when one is worn out. */
export interface ProcessPoolOptions {
  /** Names the processes in messages and log lines, for example `embedding`. */
  readonly name: string;
  /** The child's program, which calls `serveRequests`. */
  readonly script: URL;
  readonly size: number;
  /** Heap limit of a child; the whole child may hold half as much again and 256 MB. */
  readonly memoryMb?: number;
  /** Most processor time of a child for one request, all its threads together. */
  readonly cpuMs?: number;
  readonly startTimeoutMs: number;
  /** Handed to each child once, before its first request. */
  readonly init: unknown;
  /** A child that answered so many requests is replaced. */
  readonly recycleAfterRequests?: number;
  /** A child that holds more than this after a request is replaced. */
  readonly recycleAboveMb?: number;
}

/** How one request is to be treated. */
export interface RunOptions {
  /** From the moment a child takes the request; time in the waiting line does not count. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Before all waiting requests that are not urgent. */
  readonly urgent?: boolean;
}

interface Job {
  /** How often it was sent to a child that had just died. */
  misses: number;
  readonly request: unknown;
  readonly options: RunOptions;
  resolve(response: unknown): void;
  reject(error: unknown): void;
}

const restartDelayMs = 50;
const restartDelayMaxMs = 10_000;
const stopLimitMs = 5_000;

/**
 * Keeps a number of child processes, each of which answers one request at a time. A child that dies fails only its own
 * request and is replaced, at once where the pool killed it, else after a delay that grows with each loss in a row.
 */
export class ProcessPool<Request, Response> {
  private readonly line = new WaitingLine<Job>();
  private readonly alive = new Set<RequestProcess>();
  private readonly stopping = new AbortController();
  private places: Promise<void>[] = [];
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly options: ProcessPoolOptions,
    private readonly logger: Logger,
  ) {}

  /**
   * Resolves when all children are up and prepared. If one of them is not, none stays.
   *
   * @throws the child's own AppError or Error; ProcessLost
   */
  async start(): Promise<void> {
    const started = await Promise.allSettled(Array.from({ length: this.options.size }, () => this.launch()));
    const children = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failure = started.find((result) => result.status === 'rejected');
    if (failure) {
      for (const child of children) child.kill();
      await Promise.all(children.map((child) => child.ended));
      this.failWaiting(failure.reason);
      throw failure.reason;
    }
    this.places = children.map((child) => this.keepFilled(child));
  }

  /**
   * Waits for a free child, and for the start if that is still to come, and has the child answer.
   *
   * @throws the child's own AppError or Error; ProcessLost if the child died, was too slow, none could be started, or the
   *   pool was stopped; the signal's reason when aborted
   */
  async run(request: Request, options: RunOptions): Promise<Response> {
    const { signal, urgent = false } = options;
    signal?.throwIfAborted();
    if (this.stopping.signal.aborted) throw this.wasStopped();
    let withdraw: (() => void) | undefined;
    try {
      return await new Promise<Response>((resolve, reject) => {
        const job: Job = {
          misses: 0,
          request,
          options,
          resolve: (response) => resolve(response as Response),
          reject,
        };
        withdraw = () => this.line.remove(job) && reject(new Error('The request was withdrawn.'));
        signal?.addEventListener('abort', withdraw, { once: true });
        this.line.add(job, urgent);
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      if (withdraw) signal?.removeEventListener('abort', withdraw);
    }
  }

  /** Ends all children; requests that wait or run are rejected. */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    const ended = [...this.alive].map((child) => child.ended);
    for (const child of this.alive) child.kill();
    this.failWaiting(this.wasStopped());
    await Promise.race([Promise.all([...ended, ...this.places]), pause(stopLimitMs, undefined, { ref: false })]);
    // A request that was on its way to a child came back to the line.
    this.failWaiting(this.wasStopped());
  }

  /** Serves with one child after another until the pool stops. */
  private async keepFilled(first: RequestProcess): Promise<void> {
    let child: RequestProcess | undefined = first;
    let losses = 0;
    while (!this.stopping.signal.aborted) {
      if (child) losses = await this.serveWith(child, losses);
      else losses += 1;
      child = await this.replace(losses);
    }
    child?.kill();
  }

  /** Hands requests to a child until it is over or worn out. Returns how many were lost in a row, this one counted. */
  private async serveWith(child: RequestProcess, lossesBefore: number): Promise<number> {
    while (!child.over.aborted && !this.isWornOut(child)) {
      const job = await this.line.take(child.over);
      if (!job) break;
      if (child.over.aborted) this.line.putBack(job);
      else await this.give(job, child);
    }
    // Killed for a slow or aborted request, worn out, or stopped: nothing is wrong with the next one.
    const wanted = child.wasKilled || !child.over.aborted;
    child.kill();
    const end = await child.ended;
    if (wanted) return 0;
    const loss = lossOf(this.options.name, end);
    this.logger.warn('Child process lost', { ...this.describe(child), ...end, reason: loss.reason });
    return child.answered > 0 ? 1 : lossesBefore + 1;
  }

  private async give(job: Job, child: RequestProcess): Promise<void> {
    // Aborted on the way from the line to the child.
    if (job.options.signal?.aborted) return job.reject(new Error('The request was withdrawn.'));
    try {
      job.resolve(await child.request(job.request, job.options.timeoutMs, job.options.signal));
    } catch (error) {
      if (this.hasMissed(job, child)) return this.line.putBack(job);
      job.reject(this.stopping.signal.aborted ? this.wasStopped() : error);
    }
  }

  /**
   * Whether the child had died before the request reached it: it was not its own request, so another gets it. As often as
   * there are children, which may all have died at once; not more, lest the request itself is what kills them.
   */
  private hasMissed(job: Job, child: RequestProcess): boolean {
    if (child.hasTaken || child.wasKilled) return false;
    job.misses += 1;
    return job.misses <= this.options.size;
  }

  private isWornOut(child: RequestProcess): boolean {
    const { recycleAfterRequests = Infinity, recycleAboveMb = Infinity } = this.options;
    return child.answered >= recycleAfterRequests || child.rssBytes > recycleAboveMb * 1024 * 1024;
  }

  /** A new child, or undefined if it could not be started; then nobody is left waiting for a pool without children. */
  private async replace(losses: number): Promise<RequestProcess | undefined> {
    const delayMs = losses === 0 ? 0 : Math.min(restartDelayMs * 2 ** (losses - 1), restartDelayMaxMs);
    try {
      if (delayMs > 0) await pause(delayMs, undefined, { signal: this.stopping.signal });
      return await this.launch();
    } catch (error) {
      if (this.stopping.signal.aborted) return undefined;
      const left = [...this.alive].filter((child) => child.isReady).length;
      this.logger[left > 0 ? 'warn' : 'error']('Child process did not start', { pool: this.options.name, left, error });
      if (left === 0) this.failWaiting(error);
      return undefined;
    }
  }

  private async launch(): Promise<RequestProcess> {
    if (this.stopping.signal.aborted) throw this.wasStopped();
    const child = RequestProcess.spawn(this.options);
    this.alive.add(child);
    void child.ended.then(() => this.alive.delete(child));
    try {
      await child.prepare(this.options.init, this.options.startTimeoutMs);
    } catch (error) {
      child.kill();
      await child.ended;
      throw this.stopping.signal.aborted ? this.wasStopped() : error;
    }
    this.logger.debug('Child process ready', this.describe(child));
    return child;
  }

  private failWaiting(error: unknown): void {
    for (const job of this.line.clear()) job.reject(error);
  }

  private wasStopped(): ProcessLost {
    return new ProcessLost('exit', `The ${this.options.name} processes were stopped.`);
  }

  private describe(child: RequestProcess): Record<string, unknown> {
    return { pool: this.options.name, pid: child.pid, answered: child.answered };
  }
}
