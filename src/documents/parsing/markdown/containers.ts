import type { BlockOwner } from './block-list.js';
import { footnoteMarkerAt, itemMarkerAt } from './container-starts.js';
import { Char, type LineCursor } from './line-cursor.js';

/** A quote, a list item or a footnote that is open, and whose text its lines are. */
export interface Container {
  readonly kind: 'quote' | 'item' | 'footnote';
  /** Columns by which the lines of an item or footnote are indented. */
  readonly indent: number;
  readonly owner: BlockOwner;
  /** True for an item whose nested items have blocks of their own. */
  readonly nestsItems: boolean;
  /** True until an item that began with an empty line has got content. */
  isEmpty: boolean;
}

/** Deeper nesting is read as text: every line costs as much as it has containers. */
const deepest = 100;
const footnoteIndent = 4;
/** Blanks beyond this make code out of what follows. */
const codeIndent = 4;

/** The containers that are open, from the outermost. */
export class Containers {
  private readonly open: Container[] = [];

  constructor(private readonly cursor: LineCursor) {}

  get depth(): number {
    return this.open.length;
  }

  /** Whose block the current line's text belongs to; undefined outside of all containers. */
  get owner(): BlockOwner | undefined {
    return this.open.at(-1)?.owner;
  }

  get holdsQuote(): boolean {
    return this.open.some(({ kind }) => kind === 'quote');
  }

  /** Takes the marks of as many containers as the line goes on with, and tells their number. */
  matchLine(): number {
    for (let depth = 0; depth < this.open.length; depth += 1) {
      const container = this.open[depth];
      if (container && !(this.cursor.isBlank ? outlivesBlank(container) : this.goesOn(container))) return depth;
    }
    return this.open.length;
  }

  closeTo(depth: number): void {
    this.open.length = depth;
  }

  /**
   * Opens the container that begins at the cursor, inside the innermost `depth` ones, and takes its mark.
   *
   * @param interrupts true if it would end a paragraph; not every list item may.
   */
  openNext(depth: number, interrupts: boolean): Container['kind'] | undefined {
    const { cursor } = this;
    if (cursor.indent >= codeIndent || depth === deepest || cursor.isBlank) return undefined;
    const { text, contentAt, end } = cursor;
    if (cursor.code === Char.Greater) {
      this.push(depth, 'quote', 0);
      this.takeQuoteMark();
      return 'quote';
    }
    const item = itemMarkerAt(text, contentAt, end);
    if (item && (item.mayInterrupt || !interrupts)) {
      this.openItem(depth, item.width);
      return 'item';
    }
    const footnote = footnoteMarkerAt(text, contentAt, end);
    if (footnote === undefined) return undefined;
    this.push(depth, 'footnote', footnoteIndent);
    cursor.takeContent(footnote);
    // No code begins on this line, however many blanks follow.
    cursor.takeColumns(cursor.indent);
    return 'footnote';
  }

  private openItem(depth: number, width: number): void {
    const { cursor } = this;
    const before = cursor.indent;
    cursor.takeContent(width);
    const isEmpty = cursor.isBlank;
    const padding = isEmpty || cursor.indent > codeIndent ? 1 : cursor.indent;
    cursor.takeColumns(padding);
    this.push(depth, 'item', before + width + padding, isEmpty);
  }

  private push(depth: number, kind: Container['kind'], indent: number, isEmpty = false): void {
    this.open.length = depth;
    const parent = this.open.at(-1);
    const opensBlock = !parent || (kind === 'item' && parent.nestsItems);
    const nestsItems = kind === 'item' && opensBlock;
    this.open.push({
      kind,
      indent,
      owner: parent && !opensBlock ? parent.owner : ownerOf(kind, (parent?.owner.depth ?? 0) + 1),
      nestsItems,
      isEmpty,
    });
  }

  private goesOn(container: Container): boolean {
    const { cursor } = this;
    if (container.kind === 'quote') {
      if (cursor.indent >= codeIndent || cursor.code !== Char.Greater) return false;
      this.takeQuoteMark();
      return true;
    }
    if (cursor.indent < container.indent) return false;
    container.isEmpty = false;
    cursor.takeColumns(container.indent);
    return true;
  }

  private takeQuoteMark(): void {
    this.cursor.takeContent(1);
    this.cursor.takeColumns(1);
  }
}

/** A blank line goes on with what is only told by its indentation, but for an item that has nothing yet. */
function outlivesBlank({ kind, isEmpty }: Container): boolean {
  return kind !== 'quote' && !isEmpty;
}

function ownerOf(kind: Container['kind'], depth: number): BlockOwner {
  switch (kind) {
    case 'quote':
      return { type: 'quote' };
    case 'footnote':
      return { type: 'paragraph' };
    case 'item':
      return { type: 'listItem', depth };
  }
}
