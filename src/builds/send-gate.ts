import { AppError } from '../domain/errors.js';

/** How long a healthy broker may take before further callers are turned away instead of queued. */
const slowSendMs = 500;
const longestQueue = 1_000;

/** A place at the gate, from when it was taken. */
interface Place {
  readonly at: number;
}

interface Waiter {
  admit(place: Place): void;
  refuse(error: AppError): void;
}

/**
 * Bounds how many acceptances hold a database connection while they wait for the broker. Others queue while sends go
 * through quickly; once the oldest send in flight is slow, the queue and all newcomers get 503 at once, so that a hung
 * broker cannot take the connections of the rest of the service.
 */
export class SendGate {
  /** In the order they were taken. */
  private readonly places = new Set<Place>();
  private readonly queue: Waiter[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly width: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Runs `work` when there is room. Rejects with BROKER_UNAVAILABLE when the broker is too slow to wait for. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const place = this.places.size < this.width ? this.take() : await this.wait();
    try {
      return await work();
    } finally {
      this.places.delete(place);
      // The next one's place is taken at once, so that no newcomer slips in before it wakes.
      this.queue.shift()?.admit(this.take());
    }
  }

  private take(): Place {
    const place = { at: this.now() };
    this.places.add(place);
    this.watch();
    return place;
  }

  private wait(): Promise<Place> {
    if (this.isSlow() || this.queue.length >= longestQueue) return Promise.reject(tooSlow());
    return new Promise((resolve, reject) => this.queue.push({ admit: resolve, refuse: reject }));
  }

  private isSlow(): boolean {
    const [oldest] = this.places;
    return oldest !== undefined && this.now() - oldest.at >= slowSendMs;
  }

  /** Looks once when the oldest send would be slow; sets itself again while there is anything to watch. */
  private watch(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isSlow()) for (const waiter of this.queue.splice(0)) waiter.refuse(tooSlow());
      if (this.places.size > 0) this.watch();
    }, slowSendMs);
    this.timer.unref();
  }
}

function tooSlow(): AppError {
  return new AppError('BROKER_UNAVAILABLE', 'The message broker is slow; the build was not accepted.');
}
