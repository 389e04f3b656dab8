import type { StepParams } from '../../domain/plan/strategy.js';
import type { Piece } from '../piece.js';
import type { Room, SourceText } from '../source-text.js';

/** What a step works with. */
export interface StepSetting {
  readonly source: SourceText;
  /** What its pieces have room for; the overlap is already taken off. */
  readonly room: Room;
  /** Complete. */
  readonly params: StepParams;
}

/**
 * Cuts a piece into smaller ones, in order, without losing anything but blanks between them. The last one ends by the
 * rule of the piece. What the strategy has no break for stays too large.
 */
export type CutStrategy = (piece: Piece, setting: StepSetting) => Piece[];
