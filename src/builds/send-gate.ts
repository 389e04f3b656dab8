import { AppError } from '../domain/errors.js';

/** How long a healthy broker may take before further callers are turned away instead of queued. */
const slowSendMs = 500;
const longestQueue = 1_000;

interface Waiter {
  admit(): void;
  refuse(error: AppError): void;
}

/**
 * Bounds how many acceptances hold a database connection while they wait for the broker. Others queue while sends go
 * through quickly; once the oldest send in flight is slow, the queue and all newcomers get 503 at once, so that a hung
 * broker cannot take the connections of the rest of the service.
 */
export class SendGate {
  private readonly startedAt = new Set<{ at: number }>();
  private readonly queue: Waiter[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly width: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Runs `work` when there is room. Rejects with BROKER_UNAVAILABLE when the broker is too slow to wait for. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.startedAt.size >= this.width) await this.wait();
    const entry = { at: this.now() };
    this.startedAt.add(entry);
    this.watch();
    try {
      return await work();
    } finally {
      this.startedAt.delete(entry);
      this.queue.shift()?.admit();
    }
  }

  private wait(): Promise<void> {
    if (this.isSlow() || this.queue.length >= longestQueue) return Promise.reject(tooSlow());
    return new Promise((resolve, reject) => this.queue.push({ admit: resolve, refuse: reject }));
  }

  private isSlow(): boolean {
    const [oldest] = this.startedAt;
    return oldest !== undefined && this.now() - oldest.at >= slowSendMs;
  }

  /** Looks once when the oldest send would be slow; sets itself again while there is anything to watch. */
  private watch(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isSlow()) for (const waiter of this.queue.splice(0)) waiter.refuse(tooSlow());
      if (this.startedAt.size > 0) this.watch();
    }, slowSendMs);
    this.timer.unref();
  }
}

function tooSlow(): AppError {
  return new AppError('BROKER_UNAVAILABLE', 'The message broker is slow; the build was not accepted.');
}
