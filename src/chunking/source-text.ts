import type { Block } from '../domain/text/block.js';
import { Outline } from './outline/outline.js';
import { Togetherness } from './outline/togetherness.js';
import { dropBlanks, skipBlankLines } from './text/blanks.js';
import { CodePoints } from './text/code-points.js';
import { isBoundary } from './text/graphemes.js';
import type { TokenCounter, TokenMap } from './token-counter.js';

/** A stretch of a text in UTF-16 units, half open. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What chunks of one level have room for. */
export interface Room {
  /** Tokens without special ones. */
  readonly tokens: number;
  readonly chars: number;
}

/** A parsed text with all that cutting asks of it, read once. Offsets are UTF-16 units. */
export class SourceText {
  readonly points: CodePoints;
  readonly tokens: TokenMap;
  readonly outline: Outline;
  readonly together: Togetherness;

  constructor(
    readonly text: string,
    blocks: readonly Block[],
    counter: TokenCounter,
  ) {
    this.points = new CodePoints(text);
    this.tokens = counter.map(text);
    this.outline = Outline.of(text, blocks, this.points);
    this.together = new Togetherness(text, this.outline);
  }

  /** True if a range is within the room. */
  fits({ start, end }: Range, room: Room): boolean {
    return this.points.count(start, end) <= room.chars && this.tokens.count(start, end) <= room.tokens;
  }

  /** True if a cut at `at` splits no character as people see them; `start` is a cut before it. */
  isCut(start: number, at: number): boolean {
    return isBoundary(this.text, start, at);
  }

  /** The range without blanks at its ends, except the indentation of its first line; empty if nothing is left. */
  trim({ start, end }: Range): Range {
    let from = skipBlankLines(this.text, start, end);
    let to = dropBlanks(this.text, from, end);
    if (from >= to) return { start: from, end: from };
    // A blank can be part of the character beside it.
    while (from > start && !this.isCut(start, from)) from -= 1;
    while (to < end && !this.isCut(from, to)) to += 1;
    return { start: from, end: to };
  }
}
