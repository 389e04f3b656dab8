import type { Range } from '../source-text.js';
import type { BreakSource } from './break-source.js';

/** Whether a separator ends the piece before it or begins the one after it. */
export type KeepSeparator = 'START' | 'END';

/** Breaks at a string, taken literally. */
export class SeparatorBreaks implements BreakSource {
  private readonly before: number;
  private upcoming = -1;

  constructor(
    private readonly text: string,
    private readonly range: Range,
    private readonly separator: string,
    keep: KeepSeparator,
    readonly rule: string,
  ) {
    this.before = keep === 'END' ? separator.length : 0;
  }

  last(from: number, to: number): number {
    const start = this.before > 0 ? from : from + 1;
    const end = this.before > 0 ? to : Math.min(this.range.end, to + this.separator.length);
    // Searching a slice keeps the search from running to the beginning of the text.
    const found = this.text.slice(start, end).lastIndexOf(this.separator);
    return found < 0 ? -1 : start + found + this.before;
  }

  next(from: number): number {
    if (this.upcoming <= from) {
      const start = Math.max(from + 1 - this.before, this.range.start);
      const found = this.text.slice(start, this.range.end).indexOf(this.separator);
      this.upcoming = found < 0 ? Infinity : start + found + this.before;
    }
    return this.upcoming;
  }
}
