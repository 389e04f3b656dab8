import type { BreakSource } from './break-source.js';

/** Breaks that are looked for from behind, only where a cut has to be made. */
export class ScannedBreaks implements BreakSource {
  /** @param isBreak true if the text may be cut at an offset. */
  constructor(
    readonly rule: string,
    private readonly isBreak: (at: number) => boolean,
  ) {}

  last(from: number, to: number): number {
    for (let at = to; at > from; at -= 1) if (this.isBreak(at)) return at;
    return -1;
  }

  next(): number {
    return Infinity;
  }
}
