import type { Piece } from '../../writing/pieces.js';
import type { ListMark } from '../../writing/list-mark.js';
import { InlineText } from './inline-text.js';

/** What the text of a block is. */
export type BlockKind = 'paragraph' | 'caption' | { readonly level: number };

/** Parts of a page: navigation, head or foot of it; what it calls its main part; an article. */
export type PagePart = 'aside' | 'main' | 'article';

/** A piece of a page with the parts around it. */
export interface PagePiece {
  readonly piece: Piece;
  readonly within: Readonly<Record<PagePart, boolean>>;
}

interface OpenItem {
  readonly depth: number;
  readonly mark: ListMark;
  /** What was written of it so far. */
  piece?: Piece;
}

interface OpenList {
  /** Of its items. */
  readonly depth: number;
  item?: OpenItem;
}

/** Pieces that belong together: the page, or a cell. */
interface Frame {
  readonly pieces: PagePiece[];
  readonly lists: OpenList[];
  quote: number;
}

/** Deeper lists and quotations nobody reads; their pieces stand at this depth. */
const deepest = 20;

/** Makes pieces of text and of what its elements say where blocks, lists and quotations begin and end. */
export class PageFlow {
  private frame: Frame = { pieces: [], lists: [], quote: 0 };
  private kind: BlockKind = 'paragraph';
  readonly inline = new InlineText();
  /** Text that stands as it is. */
  private preformatted: { text: string; language: string } | undefined;
  private readonly parts: Record<PagePart, number> = { aside: 0, main: 0, article: 0 };

  text(text: string): void {
    if (this.preformatted) this.preformatted.text += text.replaceAll('\u00a0', ' ');
    else this.inline.add(text);
  }

  lineBreak(): void {
    if (this.preformatted) this.preformatted.text += '\n';
    else if (this.inline.last === '\n' && this.kind === 'paragraph') this.endBlock();
    else if (!this.inline.isEmpty) this.inline.lineBreak();
  }

  /** Ends a paragraph or what else the text is. A heading is one block, whatever is in it. */
  endBlock(): void {
    const code = this.preformatted;
    if (code) code.text += code.text === '' || code.text.endsWith('\n') ? '' : '\n';
    else if (typeof this.kind === 'object') this.inline.space();
    else this.flush();
  }

  /** A block of its own, of whatever kind. */
  beginBlock(): () => void {
    this.endBlock();
    return () => this.endBlock();
  }

  /** All text until the end is of this kind. */
  begin(kind: BlockKind): () => void {
    this.endBlock();
    const outer = this.kind;
    this.kind = kind;
    return () => {
      if (this.kind === kind) this.flush();
      else this.endBlock();
      this.kind = outer;
    };
  }

  /** Ends a heading that has text and that nobody ended, before a block that none can hold. */
  endHeading(): void {
    if (typeof this.kind !== 'object' || this.inline.isEmpty) return;
    this.flush();
    this.kind = 'paragraph';
  }

  beginList(): () => void {
    this.endBlock();
    const { lists } = this.frame;
    const outer = lists.at(-1);
    const length = lists.length;
    lists.push({ depth: Math.min((outer ? (outer.item?.depth ?? outer.depth) : 0) + 1, deepest) });
    return () => {
      this.endBlock();
      lists.length = Math.min(lists.length, length);
    };
  }

  /** @param deeper than the other items of its list. */
  beginItem(mark: ListMark, deeper = 0): () => void {
    this.endBlock();
    const list = this.frame.lists.at(-1);
    if (!list) return () => this.endBlock();
    const item = { depth: Math.min(list.depth + deeper, deepest), mark };
    list.item = item;
    return () => {
      this.endBlock();
      if (list.item === item) delete list.item;
    };
  }

  beginQuote(): () => void {
    this.endBlock();
    const { frame } = this;
    const outer = frame.quote;
    frame.quote = Math.min(outer + 1, deepest);
    return () => {
      this.endBlock();
      frame.quote = outer;
    };
  }

  beginCode(): () => void {
    if (this.preformatted) return () => undefined;
    this.endBlock();
    const code = { text: '', language: '' };
    this.preformatted = code;
    return () => {
      this.preformatted = undefined;
      this.push({ kind: 'code', ...code });
    };
  }

  get isInCode(): boolean {
    return this.preformatted !== undefined;
  }

  /** Names the language of the code that was begun, unless it has one. */
  nameLanguage(language: string): void {
    if (this.preformatted && this.preformatted.language === '') this.preformatted.language = language;
  }

  /** Marks all pieces until the end. */
  beginPart(part: PagePart): () => void {
    this.endBlock();
    this.parts[part] += 1;
    return () => {
      this.endBlock();
      this.parts[part] -= 1;
    };
  }

  /** Collects what comes until the end apart, and hands it over. */
  beginFrame(end: (pieces: readonly PagePiece[]) => void): () => void {
    this.endBlock();
    const frame: Frame = { pieces: [], lists: [], quote: 0 };
    const { kind, frame: outer } = this;
    this.frame = frame;
    this.kind = 'paragraph';
    return () => {
      this.endBlock();
      this.frame = outer;
      this.kind = kind;
      end(frame.pieces);
    };
  }

  push(piece: Piece): void {
    const { aside, main, article } = this.parts;
    this.frame.pieces.push({ piece, within: { aside: aside > 0, main: main > 0, article: article > 0 } });
  }

  append(pieces: readonly PagePiece[]): void {
    for (const piece of pieces) this.frame.pieces.push(piece);
  }

  /** All pieces of the page. */
  finish(): readonly PagePiece[] {
    this.endBlock();
    return this.frame.pieces;
  }

  private flush(): void {
    if (this.inline.isEmpty) return void this.inline.take();
    const text = this.inline.take();
    const { quote, lists } = this.frame;
    const list = lists.at(-1);
    const { kind } = this;
    if (typeof kind === 'object') this.push({ kind: 'heading', level: kind.level, text, quote });
    else if (kind === 'caption') this.push({ kind, text });
    else if (list) this.flushItem(list, text);
    else this.push({ kind, text, quote });
  }

  /** The first block of an item has its mark; others that follow at once are further lines of it. */
  private flushItem(list: OpenList, text: string): void {
    const { pieces, quote } = this.frame;
    const { item } = list;
    const last = pieces.at(-1)?.piece;
    if (item?.piece && item.piece === last && item.piece.kind === 'item') {
      pieces.pop();
      this.push((item.piece = { ...item.piece, text: `${item.piece.text}\n${text}` }));
      return;
    }
    const mark = item && !item.piece ? item.mark : {};
    const words = mark.label === undefined ? text : `${mark.label} ${text}`;
    const number = mark.number === undefined ? {} : { number: mark.number };
    const piece: Piece = { kind: 'item', text: words, depth: item?.depth ?? list.depth, ...number, quote };
    if (item) item.piece = piece;
    this.push(piece);
  }
}
