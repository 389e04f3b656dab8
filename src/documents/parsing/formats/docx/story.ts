import type { XmlAttributes, XmlHandler } from '../../containers/xml-events.js';
import type { Piece } from '../../writing/pieces.js';
import { EquationText } from '../ooxml/equation-text.js';
import type { DocumentFacts } from './document-facts.js';
import type { DrawingDraft } from './elements/drawing-elements.js';
import { elementReaders } from './elements/element-readers.js';
import { Fields } from './fields.js';
import { pieceOf } from '../word-processing/piece-of.js';
import { ParagraphDraft } from './paragraph-draft.js';
import type { PieceTarget } from '../word-processing/piece-target.js';
import { RunText, type RunDraft } from './run-text.js';
import { outlineRole } from './styles.js';
import type { TableDraft } from './table-draft.js';

/** A place that gets pieces, with the text of a paragraph whose end was deleted. */
interface Frame {
  readonly target: PieceTarget;
  runOn: string;
}

const textElements: ReadonlySet<string> = new Set(['w:t', 'w:delText', 'm:t', 'a:t']);

/**
 * One text of a Word document while it is read: its body, a note, a header. Holds what is open at the place that was
 * come to; what each element does to it stands in `elements/`.
 */
export class Story implements XmlHandler {
  readonly fields = new Fields();
  readonly equation = new EquationText();
  readonly runs: RunDraft[] = [];
  readonly tables: TableDraft[] = [];
  readonly drawings: DrawingDraft[] = [];
  readonly words: RunText;
  /** The note that is read, in a part that holds notes. */
  note: { readonly id: string; readonly pieces: readonly Piece[] } | undefined;
  /** Number of the page that was come to, as far as Word noted where pages end. */
  page = 1;
  private readonly path: string[] = [];
  private readonly paragraphs: ParagraphDraft[] = [];
  private readonly frames: Frame[];
  private reading = '';
  private skipped = 0;
  private skipsThis = false;

  constructor(
    readonly facts: DocumentFacts,
    target: PieceTarget,
  ) {
    this.frames = [{ target, runOn: '' }];
    this.words = new RunText(this);
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.skipped > 0) {
      this.skipped += 1;
      return;
    }
    elementReaders.get(name)?.open?.(this, attributes);
    if (this.skipsThis) this.skipped = 1;
    else this.path.push(name);
    this.skipsThis = false;
  }

  close(name: string): void {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    this.path.pop();
    elementReaders.get(name)?.close?.(this);
  }

  text(text: string): void {
    if (this.skipped === 0 && textElements.has(this.path.at(-1) ?? '')) this.words.write(text);
  }

  /** Leaves out the element that is being opened, with all that is in it. */
  skip(): void {
    this.skipsThis = true;
  }

  /** Whether the element that is being opened or was closed lies directly in these, innermost first. */
  isIn(...names: readonly string[]): boolean {
    return names.every((name, i) => this.path.at(-1 - i) === name);
  }

  get paragraph(): ParagraphDraft | undefined {
    return this.paragraphs.at(-1);
  }

  /** Where pieces go at this place. */
  get target(): PieceTarget {
    return this.frame.target;
  }

  enter(target: PieceTarget): void {
    this.frames.push({ target, runOn: '' });
  }

  leave(): void {
    this.endRunOn();
    if (this.frames.length > 1) this.frames.pop();
  }

  openParagraph(): void {
    this.paragraphs.push(new ParagraphDraft());
  }

  closeParagraph(): void {
    const draft = this.paragraphs.pop();
    if (!draft) return;
    const text = this.frame.runOn + draft.text;
    this.frame.runOn = draft.runsOn ? text : '';
    if (!draft.runsOn) this.give(draft, text);
    for (const box of draft.boxes) box.giveTo(this.target);
  }

  /** Ends the words that say how to pronounce those that follow. */
  closeReading(): void {
    this.reading = this.paragraphs.pop()?.text ?? '';
  }

  writeReading(): void {
    const { reading } = this;
    this.reading = '';
    if (reading !== '') this.words.write(`(${reading})`);
  }

  /** Gives out the text of a paragraph that has no other to run on to. */
  endRunOn(): void {
    const text = this.frame.runOn;
    this.frame.runOn = '';
    if (text !== '') this.target.push({ kind: 'paragraph', text }, this.page);
  }

  private get frame(): Frame {
    // There is always the first one.
    return this.frames.at(-1) as Frame;
  }

  private give(draft: ParagraphDraft, text: string): void {
    const { styles, numbering, counters } = this.facts;
    const effect = styles.ofParagraph(draft.style);
    const role = (draft.outline === undefined ? effect.role : outlineRole(draft.outline)) ?? { type: 'text' };
    const numId = draft.numId ?? effect.numId ?? 0;
    const level = draft.listLevel ?? effect.listLevel ?? numbering.levelOfStyle(numId, draft.style) ?? 0;
    const list = numId === 0 ? undefined : counters.next(numId, level);
    // An empty line of code is one, too.
    if (text.trim() !== '' || role.type === 'code')
      this.target.push(pieceOf(text, role, list), draft.page ?? this.page);
  }
}
