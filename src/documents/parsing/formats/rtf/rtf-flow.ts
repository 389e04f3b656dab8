import { pieceOf, type ShownMark } from '../word-processing/piece-of.js';
import type { KeptPieces, PieceTarget } from '../word-processing/piece-target.js';
import type { Destination } from './destinations.js';
import type { RtfStyles } from './rtf-styles.js';
import type { ParagraphState } from './rtf-state.js';
import { RtfTable, type RowDefinition } from './rtf-table.js';
import { shownMark } from './shown-mark.js';

const page = 1;
/** Tables within tables beyond this are read as what is in them. */
const deepestTable = 8;

/** A text of its own: the body of a document, a note, a text box. Makes pieces of its paragraphs and tables. */
export class RtfFlow implements Destination {
  private parts: string[] = [];
  private mark: string | undefined;
  private boxes: KeptPieces[] = [];
  private readonly tables: RtfTable[] = [];

  constructor(
    private readonly target: PieceTarget,
    private readonly styles: RtfStyles,
  ) {}

  write(text: string): void {
    this.parts.push(text);
  }

  /** The mark that the paragraph has as an item of a list. */
  markItem(mark: string): void {
    this.mark = mark;
  }

  /** Text that follows the paragraph. */
  addBox(box: KeptPieces): void {
    this.boxes.push(box);
  }

  endParagraph(state: ParagraphState): void {
    const text = this.parts.join('');
    const role = this.styles.roleOf(state.outline, state.style);
    const mark = this.takeMark(state);
    this.parts = [];
    this.openTables(state.tables);
    const target = this.tables.at(-1)?.cell ?? this.target;
    // An empty line of code is one, too; the end of a cell is none.
    if (text.trim() !== '' || (role.type === 'code' && this.tables.length === 0))
      target.push(pieceOf(text, role, mark), page);
    for (const box of this.boxes) box.giveTo(target);
    this.boxes = [];
  }

  /** @param depth of the table whose cell ends, at least 1. */
  endCell(state: ParagraphState, depth: number): void {
    this.endParagraph({ ...state, tables: depth });
    this.tables.at(-1)?.endCell();
  }

  endRow(depth: number, definition: RowDefinition): void {
    this.openTables(depth);
    this.tables.at(-1)?.endRow(definition);
  }

  /** Ends the last paragraph, and whatever is open. */
  end(state: ParagraphState): void {
    if (this.parts.length > 0 || this.boxes.length > 0) this.endParagraph(state);
    this.openTables(0);
  }

  private takeMark({ isListed, level }: ParagraphState): ShownMark | undefined {
    const { mark } = this;
    this.mark = undefined;
    return mark === undefined && !isListed ? undefined : shownMark(mark ?? '', level);
  }

  private openTables(wanted: number): void {
    const depth = Math.min(wanted, deepestTable);
    while (this.tables.length > depth) {
      const table = this.tables.pop();
      table?.giveTo(this.tables.at(-1)?.cell ?? this.target);
    }
    while (this.tables.length < depth) this.tables.push(new RtfTable());
  }
}
