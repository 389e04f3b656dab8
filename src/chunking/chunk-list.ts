import type { Level } from '../domain/plan/strategy.js';
import type { Chunk } from '../domain/text/chunk.js';
import type { Piece } from './piece.js';
import type { Range, SourceText } from './source-text.js';
import type { TokenCounter } from './token-counter.js';

/** The chunks of one level, numbered as they are added. */
export class ChunkList {
  readonly chunks: Chunk[] = [];

  constructor(
    private readonly source: SourceText,
    private readonly counter: TokenCounter,
    private readonly level: Level,
  ) {}

  /** @param range of the chunk: the piece with its overlap. */
  add(piece: Piece, range: Range, parentOrdinal: number | undefined): void {
    const { points, outline, text: whole } = this.source;
    const text = whole.slice(range.start, range.end);
    const charStart = points.pointAt(range.start);
    const charEnd = points.pointAt(range.end);
    const tableHeader = outline.tableHeadAbove(range.start);
    const pages = outline.pages(range.start, range.end);
    const chunk: { -readonly [Name in keyof Chunk]: Chunk[Name] } = {
      level: this.level,
      ordinal: this.chunks.length,
      charStart,
      charEnd,
      text,
      tokens: this.tokensOf(range, text),
      overlapStart: this.sharedWithLast(charStart, charEnd),
      headingPath: outline.headingPath(piece.start, piece.end),
      rule: piece.rule,
    };
    if (parentOrdinal !== undefined) chunk.parentOrdinal = parentOrdinal;
    if (tableHeader !== undefined) chunk.context = { tableHeader };
    if (piece.forced) chunk.forced = true;
    if (pages) chunk.pages = pages;
    this.chunks.push(chunk);
  }

  private tokensOf({ start, end }: Range, text: string): number {
    const { tokens } = this.source;
    return tokens.exact ? tokens.count(start, end) + this.counter.specialTokens : this.counter.count(text);
  }

  private sharedWithLast(charStart: number, charEnd: number): number {
    const last = this.chunks.at(-1);
    return last ? Math.max(0, Math.min(last.charEnd, charEnd) - charStart) : 0;
  }
}
