import type { XmlAttributes, XmlHandler } from '../../containers/xml-events.js';
import type { Omissions, OmittedKind } from '../../writing/omissions.js';
import { omitted } from '../ooxml/omitted.js';
import { ItemJoiner } from '../word-processing/item-joiner.js';
import type { NoteKind } from '../word-processing/notes.js';
import type { NoteQueue } from '../word-processing/note-queue.js';
import { pieceOf } from '../word-processing/piece-of.js';
import { type KeptPieces, type PieceTarget } from '../word-processing/piece-target.js';
import type { StyleRole } from '../word-processing/style-roles.js';
import { elementReaders } from './elements/element-readers.js';
import { wholeNumber } from './list-levels.js';
import { OdtLists } from './odt-lists.js';
import type { OdtStyles } from './odt-styles.js';
import { type OdtText, OdtParagraph } from './odt-text.js';
import type { OdtDrawing } from './elements/drawing-elements.js';
import type { OdtCell, OdtTable } from './odt-table.js';

/** What is known of a document beside the text that is read. */
export interface OdtFacts {
  readonly styles: OdtStyles;
  readonly notes: NoteQueue;
  readonly omissions: Omissions;
  /** Formulas by the names of the objects that hold them. */
  readonly formulas: ReadonlyMap<string, string>;
}

/** A note while it is read. */
interface OpenNote {
  readonly kind: NoteKind;
  label: string;
  readonly content: KeptPieces;
}

/** An element that is left out with all that is in it. */
interface Skipped {
  readonly kind: OmittedKind | undefined;
  readonly path: string[];
  text: string;
}

/** Elements of what is left out that say who did it and when. */
const circumstances = /^(?:dc|meta):/;
/** Documents without pages count as one. */
const page = 1;

/** The text of an OpenDocument text while it is read. What each element does to it stands in `elements/`. */
export class OdtStory implements XmlHandler {
  readonly lists: OdtLists;
  readonly tables: OdtTable[] = [];
  /** Tables that are open beyond those that are read as tables. */
  deeperTables = 0;
  readonly drawings: OdtDrawing[] = [];
  readonly boxes: KeptPieces[] = [];
  readonly notes: OpenNote[] = [];
  /** Where text goes: the innermost paragraph, or what else gathers text. */
  private readonly sinks: OdtText[] = [];
  private readonly cells: OdtCell[] = [];
  private readonly leaves: (() => void)[] = [];
  private joiner: ItemJoiner;
  private skipped: Skipped | undefined;
  private skips: { readonly kind: OmittedKind | undefined } | undefined;

  constructor(
    readonly facts: OdtFacts,
    target: PieceTarget,
  ) {
    this.lists = new OdtLists(facts.styles);
    this.joiner = new ItemJoiner(target);
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.skipped) {
      this.skipped.path.push(name);
      return;
    }
    elementReaders.get(name)?.open?.(this, attributes);
    if (this.skips) this.skipped = { kind: this.skips.kind, path: [name], text: '' };
    this.skips = undefined;
  }

  close(name: string): void {
    const { skipped } = this;
    if (!skipped) return elementReaders.get(name)?.close?.(this);
    skipped.path.pop();
    skipped.text += ' ';
    if (skipped.path.length > 0) return;
    if (skipped.kind) this.facts.omissions.add(skipped.kind, { text: skipped.text.replace(/\s+/g, ' ').trim() });
    this.skipped = undefined;
  }

  text(text: string): void {
    const { skipped } = this;
    if (!skipped) this.write((sink) => sink.write(text), text);
    else if (skipped.kind && !circumstances.test(skipped.path.at(-1) ?? '')) skipped.text += text;
  }

  /** Writes text as it is shown. */
  writeShown(text: string): void {
    this.write((sink) => sink.writeShown(text), text);
  }

  /** Leaves out the element that is being opened, with all that is in it, and tells of it if it is of a kind. */
  skip(kind?: OmittedKind): void {
    this.skips = { kind };
  }

  get paragraph(): OdtParagraph | undefined {
    const sink = this.sinks.at(-1);
    return sink instanceof OdtParagraph ? sink : undefined;
  }

  openSink(sink: OdtText): void {
    this.sinks.push(sink);
  }

  closeSink(): OdtText | undefined {
    return this.sinks.pop();
  }

  /** Collects what is read from here on apart, until it is left. */
  enter(target: KeptPieces): void {
    const outer = this.joiner;
    const leaveLists = this.lists.apart();
    this.joiner = new ItemJoiner(target);
    this.leaves.push(() => {
      this.joiner.flush();
      this.joiner = outer;
      leaveLists();
    });
  }

  leave(): void {
    this.leaves.pop()?.();
  }

  enterCell(cell: OdtCell): void {
    this.cells.push(cell);
    this.enter(cell.content);
  }

  leaveCell(): void {
    this.cells.pop();
    this.leave();
  }

  /** Notes that the cell is set as one of names. */
  nameCell(): void {
    const cell = this.cells.at(-1);
    if (cell) cell.isHeader = true;
  }

  give(pieces: KeptPieces): void {
    pieces.giveTo(this.joiner);
  }

  get target(): PieceTarget {
    return this.joiner;
  }

  closeParagraph(): void {
    const { paragraph } = this;
    this.sinks.pop();
    if (!paragraph) return;
    this.giveParagraph(paragraph);
    for (const box of paragraph.boxes) this.give(box);
  }

  end(): void {
    this.joiner.flush();
  }

  private giveParagraph({ text, style, heading, number }: OdtParagraph): void {
    const mark = this.lists.nextMark();
    const role = heading ? headingRole(heading) : (this.facts.styles.roleOf(style) ?? { type: 'text' });
    const label = heading && !mark ? this.lists.nextHeading(headingLevel(heading), heading) || number : '';
    // An empty line of code is one, too.
    if (text.trim() === '' && role.type !== 'code') return;
    if (mark === 'continued' && role.type === 'text' && this.joiner.join(text)) return;
    const numbered = label === '' ? text : `${label} ${text}`;
    this.joiner.push(pieceOf(numbered, role, mark === 'continued' ? undefined : mark), page);
  }

  private write(write: (sink: OdtText) => void, text: string): void {
    const sink = this.sinks.at(-1);
    if (!sink) return;
    if (!(sink instanceof OdtParagraph && sink.hidesText)) write(sink);
    else if (text.trim() !== '') this.facts.omissions.add(omitted.hiddenText, { text });
  }
}

function headingLevel(heading: XmlAttributes): number {
  return wholeNumber(heading['text:outline-level']) ?? 1;
}

function headingRole(heading: XmlAttributes): StyleRole {
  return { type: 'heading', level: headingLevel(heading) };
}
