import { assertNever } from '../domain/assert-never.js';
import { Strategy, type PlanStep } from '../domain/plan/strategy.js';
import type { LevelLimits } from '../domain/text/chunk.js';
import { ForcedCutter } from './breaks/forced-cutter.js';
import type { Piece } from './piece.js';
import type { Room, SourceText } from './source-text.js';
import { integerParam } from './step-params.js';
import type { CutStrategy } from './strategies/cut-strategy.js';
import { cutBySeparators } from './strategies/recursive.js';
import { cutBySentences } from './strategies/sentence.js';
import { cutByStructure } from './strategies/structure.js';
import { cutByTableRows } from './strategies/table-rows.js';

/** Cuts pieces by the steps of one level, then to its limits. */
export class LevelCutter {
  /** Tokens that chunks of the level repeat from the one before. */
  readonly overlapTokens: number;
  /** What a chunk may hold in the end, its overlap included. */
  readonly fullRoom: Room;

  constructor(
    private readonly source: SourceText,
    private readonly steps: readonly PlanStep[],
    private readonly limits: LevelLimits,
    private readonly specialTokens: number,
  ) {
    this.overlapTokens = Math.max(0, ...steps.map(({ params }) => Number(params.overlapTokens ?? 0)));
    const asked = steps.at(-1)?.params.maxTokens ?? limits.maxTokens;
    this.fullRoom = this.roomFor(Math.min(Number(asked), limits.maxTokens), 0);
  }

  /** The pieces of one piece, in order, all within the limits of the level. */
  cut(whole: Piece): Piece[] {
    const first = this.source.trim(whole);
    let pieces: Piece[] = first.start < first.end ? [{ ...whole, ...first }] : [];
    this.steps.forEach((step, index) => {
      const room = this.roomFor(integerParam(step.params, 'maxTokens'), this.overlapTokens);
      const setting = { source: this.source, room, params: step.params };
      const cut = strategyOf(step.strategy);
      pieces = pieces.flatMap((piece) =>
        index === 0 || !this.source.fits(piece, room) ? cut(piece, setting) : [piece],
      );
    });
    return this.enforce(pieces);
  }

  private enforce(pieces: readonly Piece[]): Piece[] {
    const room = this.roomFor(this.fullRoom.tokens + this.specialTokens, this.overlapTokens);
    const fits = (piece: Piece): boolean => this.source.fits(piece, room);
    if (pieces.every(fits)) return [...pieces];
    const cutter = new ForcedCutter(this.source, room);
    return pieces.flatMap((piece) => (fits(piece) ? [piece] : cutter.cut(piece)));
  }

  /** At least half of a chunk is its own, whatever overlap is asked for. */
  private roomFor(maxTokens: number, overlapTokens: number): Room {
    const tokens = maxTokens - this.specialTokens;
    return { tokens: Math.max(1, tokens - Math.min(overlapTokens, tokens >> 1)), chars: this.limits.maxChars };
  }
}

function strategyOf(strategy: Strategy): CutStrategy {
  switch (strategy) {
    case Strategy.Structure:
      return cutByStructure;
    case Strategy.Recursive:
      return cutBySeparators;
    case Strategy.Sentence:
      return cutBySentences;
    case Strategy.TableRows:
      return cutByTableRows;
    case Strategy.Semantic:
    case Strategy.Llm:
      throw new Error(`strategy ${strategy} is not executable`);
    default:
      return assertNever(strategy);
  }
}
