/** Waits for a time or a wake-up, and misses none that comes while nobody waits. */
export class Waiter {
  private wakened = false;
  private dueAt = Infinity;
  private wakeNow: () => void = () => undefined;

  /** A look begins: it sees what is due by now, and a wake-up from here on counts for the next wait. */
  begin(): void {
    this.wakened = false;
    if (this.dueAt <= performance.now()) this.dueAt = Infinity;
  }

  wake(): void {
    this.wakened = true;
    this.wakeNow();
  }

  /** Something is due in `ms`: waits do not last longer. */
  wakeIn(ms: number): void {
    this.dueAt = Math.min(this.dueAt, performance.now() + ms);
  }

  /** True when it was woken, or something was due, rather than its time over. */
  async wait(longestMs: number): Promise<boolean> {
    if (this.wakened) return true;
    const ms = Math.min(longestMs, Math.max(1, this.dueAt - performance.now()));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wakeNow = () => undefined;
    return this.wakened || this.dueAt <= performance.now();
  }
}
