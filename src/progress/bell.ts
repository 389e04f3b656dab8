/** Ends the wait of one waiter, and keeps a ring that comes while nobody waits for the next wait. */
export class Bell {
  private rung = false;
  private wake: () => void = () => undefined;

  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Resolves at once after a ring that was not heard yet, else at the next one or after `ms`. @throws AbortError. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.rung) await this.wait(ms, signal);
    signal.throwIfAborted();
    this.rung = false;
  }

  private async wait(ms: number, signal: AbortSignal): Promise<void> {
    const timer = setTimeout(() => this.wake(), ms);
    const abort = (): void => this.wake();
    signal.addEventListener('abort', abort);
    await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = () => undefined;
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
