import type { SourceText } from '../source-text.js';
import type { BreakSource } from './break-source.js';
import { ListedBreaks } from './listed-breaks.js';
import { sentenceEnds } from './sentence-ends.js';

/** Sentence ends, looked for only where a cut has to be made. */
export class WindowSentences implements BreakSource {
  private window = { start: -1, end: -1 };
  private found: ListedBreaks;

  constructor(
    private readonly source: SourceText,
    readonly rule: string,
  ) {
    this.found = new ListedBreaks([], rule);
  }

  last(from: number, to: number): number {
    if (from !== this.window.start || to > this.window.end) {
      this.window = { start: from, end: to };
      const ends = sentenceEnds(this.source.text, this.source.outline, { start: from, end: to + 1 });
      this.found = new ListedBreaks(ends, this.rule);
    }
    return this.found.last(from, to);
  }

  next(): number {
    return Infinity;
  }
}
