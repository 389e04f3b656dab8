/** A kind of place where a text may be cut, within one range. */
export interface BreakSource {
  /** What a cut made here is called, for example `RECURSIVE:. `. */
  readonly rule: string;
  /** The last break in `(from, to]`, or -1. Reads no further than it must. */
  last(from: number, to: number): number;
  /** The first break behind `from`, or Infinity. Asked with growing offsets only. */
  next(from: number): number;
}
