import type { BlockType } from '../../../domain/text/block.js';
import type { BlockList, BlockOwner } from './block-list.js';
import { Containers } from './containers.js';
import { htmlAt, MarkFinder } from './html-starts.js';
import { atxLevel, closesFence, fenceAt, isThematicBreak, setextLevel, type Fence } from './leaf-starts.js';
import { LineCursor, trimBlanks } from './line-cursor.js';
import { Paragraph } from './paragraph.js';
import { delimiterCells } from './table-rows.js';

/** The piece of text that is open inside the innermost container. */
type Leaf =
  | { readonly kind: 'paragraph'; readonly owner: BlockOwner; readonly paragraph: Paragraph }
  | { readonly kind: 'fence'; readonly owner: BlockOwner; readonly fence: Fence }
  /** `closesAt` is the place whose line is the last one; −1 if only the container's end ends it. */
  | { readonly kind: 'html'; readonly owner: BlockOwner; readonly closesAt: number | 'blank' }
  | { readonly kind: 'indentedCode' | 'table'; readonly owner: BlockOwner };

/** What a line opens: nothing, only quotes, or also list items or footnotes. */
type Opened = 'none' | 'quotes' | 'withItem';

/** Blanks that make code out of a line. */
const codeIndent = 4;

/**
 * Finds the block structure of CommonMark with tables and footnotes in one pass over the lines. It looks at no inline
 * markup: what is inside a paragraph does not change where it begins and ends.
 */
export class BlockScanner {
  private readonly cursor: LineCursor;
  private readonly containers: Containers;
  private readonly marks: MarkFinder;
  private leaf: Leaf | undefined;
  private lastWasBlank = false;

  constructor(
    private readonly text: string,
    private readonly blocks: BlockList,
  ) {
    this.cursor = new LineCursor(text);
    this.containers = new Containers(this.cursor);
    this.marks = new MarkFinder(text);
  }

  /** Scans from the start of a line to the end of the text. */
  scan(from: number): void {
    for (let start = from; start < this.text.length;) {
      const lineEnd = this.text.indexOf('\n', start);
      const end = lineEnd === -1 ? this.text.length : lineEnd;
      this.cursor.reset(start, end);
      // A blank line behind another changes nothing, and there may be millions.
      const isBlank = this.cursor.isBlank;
      if (!isBlank || !this.lastWasBlank) this.takeLine();
      this.lastWasBlank = isBlank;
      start = end + 1;
    }
    this.closeLeaf();
  }

  private takeLine(): void {
    const matched = this.containers.matchLine();
    const allMatched = matched === this.containers.depth;
    if (allMatched && (this.leaf?.kind === 'fence' || this.leaf?.kind === 'html') && this.goesOn(this.leaf)) return;
    const opened = this.openContainers(matched);
    if (this.cursor.isBlank) this.takeBlank(opened === 'none' ? matched : this.containers.depth);
    else if (opened !== 'none') this.startLeaf(opened === 'withItem');
    else this.takeText(matched, allMatched);
  }

  /** Opens what begins on this line, and tells whether list items or footnotes are among it. */
  private openContainers(matched: number): Opened {
    let opened: Opened = 'none';
    for (let depth = matched; ; depth += 1) {
      const interrupts = depth === this.containers.depth && this.leaf?.kind === 'paragraph';
      const kind = this.containers.openNext(depth, interrupts);
      if (kind === undefined) return opened;
      this.closeLeaf();
      opened = kind === 'quote' ? withQuote(opened) : 'withItem';
    }
  }

  /** A line without text. Its containers' marks, if it has any, are text of theirs. */
  private takeBlank(depth: number): void {
    const goesOn = depth === this.containers.depth && this.leaf?.kind === 'indentedCode';
    if (!goesOn) this.closeLeaf();
    this.containers.closeTo(depth);
    const end = trimBlanks(this.text, this.cursor.start, this.cursor.end);
    const { owner } = this.containers;
    if (owner && end > this.cursor.start) this.addLine(owner);
  }

  /** A line with text and no new container. */
  private takeText(matched: number, allMatched: boolean): void {
    const { leaf, cursor } = this;
    const isParagraph = leaf?.kind === 'paragraph';
    if (isParagraph && cursor.indent >= codeIndent) return leaf.paragraph.addLine(cursor, !allMatched);
    if (isParagraph && allMatched && (this.becomesHeading(leaf) || this.becomesTable(leaf))) return;
    if (this.startsOther(isParagraph)) {
      this.closeLeaf();
      this.containers.closeTo(matched);
      return this.startLeaf(false);
    }
    if (isParagraph) return leaf.paragraph.addLine(cursor, !allMatched);
    if (allMatched && leaf?.kind === 'table') return this.addLine(leaf.owner);
    if (allMatched && leaf?.kind === 'indentedCode' && cursor.indent >= codeIndent) return this.addLine(leaf.owner);
    this.closeLeaf();
    this.containers.closeTo(matched);
    this.startLeaf(false);
  }

  /** True if the line begins something that ends a paragraph or a table. */
  private startsOther(inParagraph: boolean): boolean {
    const { text, contentAt, end, indent } = this.cursor;
    if (indent >= codeIndent) return this.leaf?.kind !== 'indentedCode';
    const html = htmlAt(text, contentAt, end);
    return (
      atxLevel(text, contentAt, end) !== undefined ||
      fenceAt(text, contentAt, end) !== undefined ||
      isThematicBreak(text, contentAt, end) ||
      (html !== undefined && (html.mayInterrupt || !inParagraph))
    );
  }

  /** Begins what the line begins, where nothing is open. */
  private startLeaf(onItemLine: boolean): void {
    const { text, contentAt, end, indent } = this.cursor;
    if (indent >= codeIndent) return this.startCode(onItemLine);
    const level = atxLevel(text, contentAt, end);
    if (level !== undefined) return this.addLine(this.ownerFor('heading', onItemLine, level));
    const fence = fenceAt(text, contentAt, end);
    if (fence) return this.open({ kind: 'fence', owner: this.ownerFor('code', onItemLine), fence });
    if (isThematicBreak(text, contentAt, end)) return this.addLine(this.ownerFor('thematicBreak', onItemLine));
    const html = htmlAt(text, contentAt, end);
    if (html) return this.startHtml(html.end, onItemLine);
    const paragraph = new Paragraph(text, onItemLine);
    paragraph.addLine(this.cursor, false);
    this.leaf = { kind: 'paragraph', owner: this.ownerFor('paragraph', onItemLine), paragraph };
  }

  private startCode(onItemLine: boolean): void {
    const owner = this.ownerFor('code', onItemLine);
    this.leaf = { kind: 'indentedCode', owner };
    // Outside of containers the first line keeps the blanks that make it code.
    if (this.containers.depth === 0) this.blocks.add(owner, this.cursor.start, this.lineTextEnd());
    else this.addLine(owner);
  }

  private startHtml(htmlEnd: RegExp | 'blank', onItemLine: boolean): void {
    const closesAt = htmlEnd === 'blank' ? htmlEnd : this.marks.find(htmlEnd, this.cursor.contentAt);
    const leaf: Leaf = { kind: 'html', owner: this.ownerFor('html', onItemLine), closesAt };
    this.open(leaf);
    if (this.isLastLine(closesAt)) this.leaf = undefined;
  }

  private open(leaf: Leaf): void {
    this.leaf = leaf;
    this.addLine(leaf.owner);
  }

  /** One more line of a fence or of HTML; false if it is over before this line. */
  private goesOn(leaf: Extract<Leaf, { kind: 'fence' | 'html' }>): boolean {
    const { cursor, text } = this;
    if (leaf.kind === 'html' && leaf.closesAt === 'blank' && cursor.isBlank) return false;
    if (this.lineTextEnd() > cursor.start) this.addLine(leaf.owner);
    const isLast =
      leaf.kind === 'fence'
        ? cursor.indent < codeIndent && closesFence(leaf.fence, text, cursor.contentAt, cursor.end)
        : this.isLastLine(leaf.closesAt);
    if (isLast) this.leaf = undefined;
    return true;
  }

  private isLastLine(closesAt: number | 'blank'): boolean {
    return closesAt !== 'blank' && closesAt !== -1 && closesAt < this.cursor.end;
  }

  /** A line of `=` or `-` makes a heading of the paragraph above it. */
  private becomesHeading({ owner, paragraph }: Extract<Leaf, { kind: 'paragraph' }>): boolean {
    const { text, contentAt, end } = this.cursor;
    const level = setextLevel(text, contentAt, end);
    if (level === undefined) return false;
    const firstLine = paragraph.linesOfDefinitions();
    if (firstLine === paragraph.lineCount) return false;
    if (firstLine > 0) this.blocks.add(owner, paragraph.start, paragraph.endOfLine(firstLine - 1));
    const heading = this.ownerFor('heading', paragraph.onItemLine, level);
    this.blocks.add(heading, paragraph.startOfLine(firstLine), this.lineTextEnd());
    this.leaf = undefined;
    return true;
  }

  /** A delimiter row makes a table's head of the line above it. */
  private becomesTable({ owner, paragraph }: Extract<Leaf, { kind: 'paragraph' }>): boolean {
    const { text, contentAt, end } = this.cursor;
    const cells = delimiterCells(text, contentAt, end);
    if (cells === 0 || cells !== paragraph.headCells()) return false;
    const head = paragraph.lineCount - 1;
    if (head > 0) this.blocks.add(owner, paragraph.start, paragraph.endOfLine(head - 1));
    const table = this.ownerFor('table', paragraph.onItemLine && head === 0);
    this.blocks.add(table, paragraph.startOfLine(head), this.lineTextEnd());
    this.leaf = { kind: 'table', owner: table };
    return true;
  }

  /**
   * Whose block a piece makes. Outside of containers every piece is one. Inside, it is part of what the container is,
   * but for code, which is kept whole, and tables in lists; and those too where they share the line of an item's mark.
   */
  private ownerFor(type: BlockType, onItemLine: boolean, depth?: number): BlockOwner {
    const { owner } = this.containers;
    const isOwn = type === 'code' || (type === 'table' && !this.containers.holdsQuote);
    if (owner && (onItemLine || !isOwn)) return owner;
    return depth === undefined ? { type } : { type, depth };
  }

  private addLine(owner: BlockOwner): void {
    const { text, start, end } = this.cursor;
    let from = start;
    while (from < end && (text[from] === ' ' || text[from] === '\t')) from += 1;
    this.blocks.add(owner, from, this.lineTextEnd());
  }

  private lineTextEnd(): number {
    return trimBlanks(this.text, this.cursor.start, this.cursor.end);
  }

  private closeLeaf(): void {
    if (this.leaf?.kind === 'paragraph') {
      const { owner, paragraph } = this.leaf;
      this.blocks.add(owner, paragraph.start, paragraph.endOfLine(paragraph.lineCount - 1));
    }
    this.leaf = undefined;
  }
}

function withQuote(opened: Opened): Opened {
  return opened === 'none' ? 'quotes' : opened;
}
