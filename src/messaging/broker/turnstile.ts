/** Gives the place inside back; a second call does nothing. */
export type Leave = () => void;

interface Waiter {
  readonly rank: number;
  admit(leave: Leave | undefined): void;
}

/** Lets in one at a time, the lowest rank first; nobody while it is closed. */
export class Turnstile {
  private waiting: Waiter[] = [];
  private occupied = false;
  private closed = false;
  private ended = false;

  /** Resolves when it is the caller's turn; with undefined when the signal aborts or the turnstile has ended. */
  enter(rank: number, signal: AbortSignal): Promise<Leave | undefined> {
    if (this.ended || signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.waiting = this.waiting.filter((each) => each !== waiter);
        resolve(undefined);
      };
      const waiter: Waiter = {
        rank,
        admit: (leave) => {
          signal.removeEventListener('abort', giveUp);
          resolve(leave);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiter);
      this.admitNext();
    });
  }

  close(): void {
    this.closed = true;
  }

  open(): void {
    this.closed = false;
    this.admitNext();
  }

  /** For good: all who wait are sent away, whoever is inside may finish. */
  end(): void {
    this.ended = true;
    for (const waiter of this.waiting.splice(0)) waiter.admit(undefined);
  }

  private admitNext(): void {
    if (this.occupied || this.closed || this.waiting.length === 0) return;
    const next = this.waiting.reduce((first, each) => (each.rank < first.rank ? each : first));
    this.waiting = this.waiting.filter((each) => each !== next);
    this.occupied = true;
    let inside = true;
    next.admit(() => {
      if (!inside) return;
      inside = false;
      this.occupied = false;
      this.admitNext();
    });
  }
}
