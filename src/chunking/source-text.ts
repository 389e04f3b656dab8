import type { Block } from '../domain/text/block.js';
import { Outline } from './outline/outline.js';
import { Togetherness } from './outline/togetherness.js';
import { dropBlanks, skipBlankLines } from './text/blanks.js';
import { CodePoints } from './text/code-points.js';
import { boundaryFrom, isBoundary, lastBoundary } from './text/graphemes.js';
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

  /** The last place before `at` where a cut splits no character, or `start`. */
  cutBefore(start: number, at: number): number {
    return Math.max(lastBoundary(this.text, start, at - 1), start);
  }

  /** The first place at `at` or behind it where a cut splits no character. */
  cutFrom(start: number, at: number): number {
    return boundaryFrom(this.text, start, at);
  }

  /** The range without blanks at its ends, except the indentation of its first line; empty if nothing is left. */
  trim({ start, end }: Range): Range {
    const visible = skipBlankLines(this.text, start, end);
    const last = dropBlanks(this.text, visible, end);
    if (visible >= last) return { start: visible, end: visible };
    // A blank can be part of the character beside it.
    const from = this.isCut(start, visible) ? visible : this.cutBefore(start, visible);
    const to = Math.min(this.cutFrom(from, last), end);
    return { start: from, end: to };
  }
}
