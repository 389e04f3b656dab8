/** Messages that may be done with and not committed yet: what a crash brings again, at most. */
const mostAhead = 100;

/**
 * Commits how far a partition is read, beside the reading: one request at a time, each for all that was done with until
 * then. A broker may take 10 ms for one; waiting for each message's would bound a reader to a hundred messages a second.
 */
export class OffsetCommits {
  /** Where reading would go on, if it is further than what is committed or on its way. */
  private next: string | undefined;
  private ahead = 0;
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param commit tells the broker where reading would go on */
  constructor(private readonly commit: (next: string) => Promise<void>) {}

  /** The message at this offset, and all before it, are done with. @throws what an earlier commit failed with. */
  async done(offset: string): Promise<void> {
    this.throwIfFailed();
    this.next = String(BigInt(offset) + 1n);
    this.ahead += 1;
    this.running ??= this.run();
    if (this.ahead >= mostAhead) await this.flush();
  }

  /** Resolves when all that is done with is committed. @throws what a commit failed with. */
  async flush(): Promise<void> {
    await this.running;
    this.throwIfFailed();
  }

  /** Never rejects: a failure is for whoever asks next. */
  private async run(): Promise<void> {
    try {
      for (let { next, ahead } = this; next !== undefined; { next, ahead } = this) {
        this.next = undefined;
        await this.commit(next);
        this.ahead -= ahead;
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.running = undefined;
    }
  }

  private throwIfFailed(): void {
    if (this.failure) throw this.failure.error;
  }
}
