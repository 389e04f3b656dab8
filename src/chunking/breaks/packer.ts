import type { Range, Room, SourceText } from '../source-text.js';
import type { Piece } from '../piece.js';
import type { BreakSource } from './break-source.js';

/** How a packer weighs breaks. */
export interface Packing {
  readonly room: Room;
  /** Pieces under this size are avoided where another break fits. Tokens without special ones. */
  readonly least: number;
  /** Kinds of breaks, the best first. */
  readonly breaks: readonly BreakSource[];
  /**
   * Cuts where the room reaches no break. Without it the piece goes on to the next break, too large as it is. With it
   * every cut counts as forced.
   */
  readonly force?: (rest: Range, reach: number) => Cut;
}

/** How much is asked of a break. */
interface Demand {
  readonly size: boolean;
  readonly introductions: boolean;
  readonly units: boolean;
  readonly pairs: boolean;
}

/** From all to only that a break fits. What holds a heading to its text is given up by force only. */
const demands: readonly Demand[] = [
  { size: true, introductions: true, units: true, pairs: true },
  { size: false, introductions: true, units: true, pairs: true },
  { size: false, introductions: false, units: true, pairs: true },
  { size: false, introductions: false, units: false, pairs: true },
];
const forcedDemands: readonly Demand[] = [
  ...demands,
  { size: false, introductions: false, units: false, pairs: false },
];

/** A place to cut. */
export interface Cut {
  readonly at: number;
  readonly rule: string;
}

/**
 * Fills pieces from the front: each ends at the best kind of break that its room reaches, at the last one of that kind.
 * Headings stay with what is under them; code, tables and list items stay whole where they fit. What has no break
 * within its room becomes one piece that is too large, for the next step.
 */
export class Packer {
  constructor(
    private readonly source: SourceText,
    private readonly packing: Packing,
  ) {}

  /** The pieces of a range; the last one ends by `rule`. */
  pack(range: Range, rule: string): Piece[] {
    const { force } = this.packing;
    const pieces: Piece[] = [];
    let rest = this.source.trim(range);
    while (rest.start < rest.end) {
      const reach = this.reach(rest);
      if (reach >= rest.end) {
        pieces.push({ start: rest.start, end: rest.end, rule });
        break;
      }
      const cut = this.best(rest, reach) ?? force?.(rest, reach) ?? this.beyond(rest, reach, rule);
      const piece = this.source.trim({ start: rest.start, end: cut.at });
      if (piece.start < piece.end) pieces.push(pieceOf(piece, cut.rule, force !== undefined));
      rest = this.source.trim({ start: cut.at, end: rest.end });
    }
    return pieces;
  }

  /** How far a piece can go. */
  private reach({ start, end }: Range): number {
    const { tokens, chars } = this.packing.room;
    const last = Math.min(end, this.source.points.advance(start, chars));
    return this.source.tokens.fit(start, last, tokens);
  }

  private best(rest: Range, reach: number): Cut | undefined {
    const { breaks, force } = this.packing;
    const lasts: number[] = [];
    for (const demand of force ? forcedDemands : demands) {
      let found = false;
      for (let index = 0; index < breaks.length; index += 1) {
        const source = breaks[index];
        const last = (lasts[index] ??= source?.last(rest.start, reach) ?? -1);
        if (!source || last <= rest.start) continue;
        found = true;
        const at = this.lastFitting(source, rest, last, demand);
        if (at > rest.start) return { at, rule: source.rule };
      }
      if (!found) return undefined;
    }
    return undefined;
  }

  /** @param last place where the source has a break. */
  private lastFitting(source: BreakSource, rest: Range, last: number, demand: Demand): number {
    let at = last;
    while (at > rest.start) {
      const better = this.betterBefore(at, rest, demand);
      if (better === at) return at;
      at = source.last(rest.start, better);
    }
    return -1;
  }

  /** `at` if it is good enough, else a place before it up to which nothing is. */
  private betterBefore(at: number, rest: Range, demand: Demand): number {
    const { source, packing } = this;
    const { together } = source;
    const place = together.at(at);
    if (demand.units) {
      const unit = together.wholeUnit(place);
      if (unit && unit.contentStart > rest.start && this.holdsWhole(unit)) return Math.min(unit.contentStart, at - 1);
    }
    if (demand.pairs && together.tears(place)) return at - 1;
    if (!source.isCut(rest.start, at)) return source.cutBefore(rest.start, at);
    if (demand.introductions && together.partsIntroduction(place)) return at - 1;
    const tokens = source.tokens.count(rest.start, at);
    if (tokens > packing.room.tokens) return at - 1;
    if (demand.size && tokens < packing.least) return rest.start;
    if (demand.size && source.tokens.count(at, rest.end) < packing.least) return at - 1;
    return at;
  }

  private holdsWhole(unit: { contentStart: number; contentEnd: number }): boolean {
    return this.source.fits({ start: unit.contentStart, end: unit.contentEnd }, this.packing.room);
  }

  /** The nearest break of any kind that the room does not reach. */
  private beyond(rest: Range, reach: number, rule: string): Cut {
    let after = reach;
    for (;;) {
      let nearest: Cut = { at: Infinity, rule };
      for (const source of this.packing.breaks) {
        const at = source.next(after);
        if (at < nearest.at) nearest = { at, rule: source.rule };
      }
      if (nearest.at >= rest.end) return { at: rest.end, rule };
      const { together } = this.source;
      if (!together.tears(together.at(nearest.at)) && this.source.isCut(rest.start, nearest.at)) return nearest;
      after = nearest.at;
    }
  }
}

function pieceOf({ start, end }: Range, rule: string, forced: boolean): Piece {
  return forced ? { start, end, rule, forced } : { start, end, rule };
}
