import type { Block, BlockType, ParseWarning } from '../../../domain/text/block.js';
import { packBlocks } from '../packed-blocks.js';
import { tooLarge, type ReadLimits } from '../read-limits.js';
import { normaliseText } from '../text/normalise-text.js';
import { fenceFor, oneLine, proseLines, tableCell } from './markdown-lines.js';
import { WarningList } from './warning-list.js';
import type { WrittenText } from './written-text.js';

/** The place of an item in its list. */
export interface ListPlace {
  /** From 1; a jump by more than one is taken as one. */
  readonly depth: number;
  /** Of a numbered list. */
  readonly number?: number;
}

interface OpenTable {
  readonly columns: number;
}

/**
 * Writes what a reader finds in a structured source, as Markdown with a block for each piece. Texts are normalised
 * here, before any offset exists; empty ones are left out. Blocks carry the page that was turned to last.
 *
 * @throws AppError TOO_LARGE from any method, as soon as the text has more characters, blocks or pages than allowed.
 */
export class DocumentWriter {
  private readonly parts: string[] = [];
  private readonly blocks: Block[] = [];
  private readonly warnings = new WarningList();
  private length = 0;
  private removed = 0;
  private page: number | undefined;
  /** The last item and those around it, outermost first; empty outside lists. */
  private items: readonly { readonly depth: number; readonly width: number }[] = [];
  private table: OpenTable | undefined;

  constructor(private readonly limits: ReadLimits) {}

  /** Turns to a page, slide or sheet, counted from 1. */
  turnTo(page: number): void {
    if (page > this.limits.pages) throw tooLarge('pages', this.limits.pages, `${this.limits.pages} pages`);
    this.closeTable();
    if (this.page !== undefined && page !== this.page) {
      this.put({ type: 'pageBreak', charStart: this.length, charEnd: this.length });
    }
    this.page = page;
  }

  /** Takes all pages back: they turned out not to be those that the source shows. */
  forgetPages(): void {
    const blocks = this.blocks.splice(0);
    for (const { type, depth, charStart, charEnd } of blocks) {
      if (type === 'pageBreak') continue;
      this.blocks.push({ type, ...(depth === undefined ? {} : { depth }), charStart, charEnd });
    }
    this.page = undefined;
  }

  /** @param level 1–6; what is deeper becomes 6. */
  heading(level: number, text: string): void {
    const line = oneLine(this.normalise(text));
    const depth = Math.min(Math.max(level, 1), 6);
    if (line !== '') this.block('heading', `${'#'.repeat(depth)} ${line}`, { depth });
  }

  paragraph(text: string): void {
    this.prose('paragraph', text);
  }

  /** Names the table or figure beside it. */
  caption(text: string): void {
    this.prose('caption', text);
  }

  listItem(text: string, { depth, number }: ListPlace): void {
    const lines = proseLines(this.normalise(text));
    if (lines.length === 0) return;
    const outer = this.items.filter((item) => item.depth < depth);
    const indent = ' '.repeat(outer.reduce((sum, { width }) => sum + width, 0));
    const mark = number === undefined ? '- ' : `${number}. `;
    const rest = `\n${indent}${' '.repeat(mark.length)}`;
    this.block('listItem', `${indent}${mark}${lines.join(rest)}`, { depth: outer.length + 1 });
    this.items = [...outer, { depth, width: mark.length }];
  }

  /**
   * Lines of a quotation; blank ones part its paragraphs.
   *
   * @param depth of quotations within each other, from 1.
   */
  quote(text: string, depth = 1): void {
    const marks = Array.from({ length: depth }, () => '>').join(' ');
    const paragraphs = this.normalise(text).split(/\n\s*\n/);
    const lines = paragraphs.map((paragraph) =>
      proseLines(paragraph)
        .map((line) => `${marks} ${line}`)
        .join('\n'),
    );
    const written = lines.filter((paragraph) => paragraph !== '').join(`\n${marks}\n`);
    if (written !== '') this.block('quote', written);
  }

  /** A line between two parts of a text; none where nothing was written yet. */
  rule(): void {
    if (this.hasText) this.block('thematicBreak', '***');
  }

  code(text: string, language = ''): void {
    const lines = this.normalise(text).replace(/^(?:[^\S\n]*\n)+|\s+$/g, '');
    if (lines === '') return;
    const fence = fenceFor(lines);
    this.block('code', `${fence}${language.replace(/[^\w+#.-]/g, '')}\n${lines}\n${fence}`);
  }

  /** @param label as it stands in the text, without brackets. */
  footnote(label: string, text: string): void {
    const lines = proseLines(this.normalise(text));
    const name = oneLine(this.normalise(label)).replace(/[\s[\]^]/g, '') || '*';
    if (lines.length > 0) this.block('footnote', `[^${name}]: ${lines.join('\n    ')}`);
  }

  /**
   * Begins a table with the names of its columns; empty ones where they are not known. Rows follow by `row`, until
   * anything else is written.
   */
  openTable(header: readonly string[]): void {
    const columns = Math.max(header.length, 1);
    const names = this.tableRow(header, columns);
    this.block('table', `${names}\n|${' --- |'.repeat(columns)}`);
    this.table = { columns };
  }

  /** A row of the open table. Cells beyond its columns are kept in the last one. */
  row(cells: readonly string[]): void {
    const open = this.table;
    const last = this.blocks.at(-1);
    if (!open || !last) throw new Error('a row was written outside a table');
    const line = this.tableRow(cells, open.columns);
    this.append(`\n${line}`);
    this.blocks[this.blocks.length - 1] = { ...last, charEnd: this.length };
  }

  closeTable(): void {
    this.table = undefined;
  }

  /** Adds what people should know of the reading; the same words count once. */
  warn(code: string, message: string): void {
    // Messages hold words of the source.
    this.warnings.add({ code, message: normaliseText(message).text });
  }

  /** True once something was written. */
  get hasText(): boolean {
    return this.length > 0;
  }

  /** All that was written. */
  finish(): WrittenText & { readonly warnings: readonly ParseWarning[] } {
    if (this.removed > 0) {
      this.warn('CHARACTERS_REMOVED', `${this.removed} control characters and other non-characters were removed.`);
    }
    return { text: this.parts.join(''), blocks: packBlocks(this.blocks), warnings: this.warnings.toList() };
  }

  private prose(type: BlockType, text: string): void {
    const lines = proseLines(this.normalise(text));
    if (lines.length > 0) this.block(type, lines.join('\n'));
  }

  private tableRow(cells: readonly string[], columns: number): string {
    const fitting =
      cells.length <= columns ? cells : [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(' ')];
    const written = Array.from({ length: columns }, (_, i) => tableCell(this.normalise(fitting[i] ?? '')));
    return `| ${written.join(' | ')} |`;
  }

  /** Writes a block with its distance from the one before. */
  private block(type: BlockType, text: string, extra: { readonly depth?: number } = {}): void {
    this.closeTable();
    const previous = this.blocks.findLast(({ type: kind }) => kind !== 'pageBreak');
    if (previous) this.append(type === 'listItem' && previous.type === 'listItem' ? '\n' : '\n\n');
    // The indentation of an item is no part of it.
    const indent = text.length - text.trimStart().length;
    this.append(text.slice(0, indent));
    const charStart = this.length;
    this.append(text.slice(indent));
    if (type !== 'listItem') this.items = [];
    this.put({ type, ...extra, charStart, charEnd: this.length });
  }

  private put(block: Block): void {
    const { blocks: most } = this.limits;
    if (this.blocks.length === most) throw tooLarge('blocks', most, `${most} paragraphs and other pieces`);
    this.blocks.push(this.page === undefined ? block : { ...block, page: this.page });
  }

  private append(text: string): void {
    this.parts.push(text);
    this.length += codePoints(text);
    const { textChars: most } = this.limits;
    if (this.length > most) throw tooLarge('textChars', most, `${most} characters of text`);
  }

  private normalise(text: string): string {
    const normal = normaliseText(text);
    this.removed += normal.removed;
    return normal.text;
  }
}

function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0xdc00 && code <= 0xdfff) pairs += 1;
  }
  return text.length - pairs;
}
