/** Messages that may be done with while the broker does not know it yet: what a crash brings again, at most. */
const mostAhead = 100;

/**
 * Tells the broker what is done with beside the reading: one request at a time, each for all that was done with until
 * then. A broker may take 10 ms for one; waiting for each message's would bound a reader to a hundred messages a second.
 */
export class Acknowledgements<T> {
  private waiting: T[] = [];
  /** How many the broker does not know of. */
  private ahead = 0;
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param tell is given what was done with, in that order */
  constructor(private readonly tell: (done: readonly T[]) => Promise<void>) {}

  /** Resolves at once, unless too much is ahead of the broker. @throws what an earlier request failed with. */
  async done(message: T): Promise<void> {
    this.throwIfFailed();
    this.waiting.push(message);
    this.ahead += 1;
    this.running ??= this.run();
    if (this.ahead >= mostAhead) await this.flush();
  }

  /** Resolves when the broker knows of all that is done with. @throws what a request failed with. */
  async flush(): Promise<void> {
    await this.running;
    this.throwIfFailed();
  }

  /** Never rejects: a failure is for whoever asks next. */
  private async run(): Promise<void> {
    try {
      for (let done = this.take(); done.length > 0; done = this.take()) {
        await this.tell(done);
        this.ahead -= done.length;
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.running = undefined;
    }
  }

  private take(): T[] {
    const taken = this.waiting;
    this.waiting = [];
    return taken;
  }

  private throwIfFailed(): void {
    if (this.failure) throw this.failure.error;
  }
}
