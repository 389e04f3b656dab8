/** Items in the order they are to be taken: urgent ones first, each kind first come, first served. */
export class WaitingLine<T> {
  private readonly urgent: T[] = [];
  private readonly ordinary: T[] = [];
  private readonly takers: ((item: T) => void)[] = [];

  add(item: T, urgent: boolean): void {
    const taker = this.takers.shift();
    if (taker) taker(item);
    else (urgent ? this.urgent : this.ordinary).push(item);
  }

  /** Puts an item that was taken but not begun before all others. */
  putBack(item: T): void {
    const taker = this.takers.shift();
    if (taker) taker(item);
    else this.urgent.unshift(item);
  }

  /** Takes out one item; false if it is not waiting any more. */
  remove(item: T): boolean {
    return [this.urgent, this.ordinary].some((line) => {
      const at = line.indexOf(item);
      if (at >= 0) line.splice(at, 1);
      return at >= 0;
    });
  }

  /** Takes out all items. */
  clear(): T[] {
    return [...this.urgent.splice(0), ...this.ordinary.splice(0)];
  }

  /** The next item, as soon as there is one; undefined once the signal is aborted. */
  take(signal: AbortSignal): Promise<T | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const next = this.urgent.shift() ?? this.ordinary.shift();
    if (next !== undefined) return Promise.resolve(next);
    return new Promise((resolve) => {
      const leave = (): void => {
        this.takers.splice(this.takers.indexOf(taker), 1);
        resolve(undefined);
      };
      const taker = (item: T): void => {
        signal.removeEventListener('abort', leave);
        resolve(item);
      };
      this.takers.push(taker);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
