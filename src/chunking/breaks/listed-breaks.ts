import type { BreakSource } from './break-source.js';

/** Breaks at places that were found beforehand. */
export class ListedBreaks implements BreakSource {
  /** @param places in order. */
  constructor(
    private readonly places: readonly number[],
    readonly rule: string,
  ) {}

  last(from: number, to: number): number {
    const place = this.places[this.behind(to) - 1];
    return place !== undefined && place > from ? place : -1;
  }

  next(from: number): number {
    return this.places[this.behind(from)] ?? Infinity;
  }

  /** Index of the first place behind an offset. */
  private behind(offset: number): number {
    let low = 0;
    let high = this.places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.places[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
