import type { MergedRow } from '../../../writing/merged-cells.js';
import type { ListMark } from './list-mark.js';

/** How a text is set, as far as it tells what the text is. */
export interface Setting {
  readonly size: number;
  readonly weight: number;
  readonly isMono: boolean;
}

/** Lines that belong together: a paragraph, a heading, the item of a list, a note; what it is shows in the whole document. */
export interface TextBlock extends Setting {
  readonly kind: 'text';
  /** Lines are joined; a line end stands where one was meant, `openHyphen` where a word was parted. */
  readonly text: string;
  readonly lineCount: number;
  /** The mark of a list that it begins with; the text is without it. */
  readonly mark?: ListMark;
  /** Where it begins, from the start of its column. */
  readonly indent: number;
  /** Its first line begins further in than the others. */
  readonly isIndented: boolean;
  /** Its last line reaches the end of the column. */
  readonly isFull: boolean;
  /** Small, and nothing but such texts follow in its column. */
  readonly isAtFoot: boolean;
  /** Nothing stands before it in its column. */
  readonly isColumnStart: boolean;
}

/** A table, by rows. */
export interface TableBlock {
  readonly kind: 'table';
  readonly rows: readonly MergedRow[];
}

export type LaidBlock = TextBlock | TableBlock;
