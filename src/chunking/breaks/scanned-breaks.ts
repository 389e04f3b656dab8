import type { BreakSource } from './break-source.js';

/** Breaks that are looked for from behind, only where a cut has to be made. */
export class ScannedBreaks implements BreakSource {
  constructor(
    readonly rule: string,
    /** The last break in `(from, to]`, or -1. */
    readonly last: (from: number, to: number) => number,
  ) {}

  next(): number {
    return Infinity;
  }
}
