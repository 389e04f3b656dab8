import type { Destination } from './destinations.js';
import type { RtfFlow } from './rtf-flow.js';

/** What holds for a paragraph. */
export interface ParagraphState {
  readonly style: number;
  readonly outline: number | undefined;
  /** It belongs to a list. */
  readonly isListed: boolean;
  /** Level in its list, from 0. */
  readonly level: number;
  /** How many tables it stands in. */
  readonly tables: number;
}

export const plainParagraph: ParagraphState = { style: 0, outline: undefined, isListed: false, level: 0, tables: 0 };

/** What holds within a group, until it ends. Never changed, only replaced. */
export interface RtfState {
  /** Where text goes. */
  readonly destination: Destination;
  /** The text that the group belongs to, whether its own text goes there or not. */
  readonly flow: RtfFlow;
  readonly font: number;
  /** Characters behind one in Unicode that stand for it in programs that cannot read it. */
  readonly substitutes: number;
  readonly isHidden: boolean;
  readonly isDeleted: boolean;
  /** Pictures here only stand for something else. */
  readonly isPreview: boolean;
  readonly paragraph: ParagraphState;
}
