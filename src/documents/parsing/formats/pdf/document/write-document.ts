import type { DocumentWriter } from '../../../writing/document-writer.js';
import type { MergedRow } from '../../../writing/merged-cells.js';
import { writeMergedTable } from '../../../writing/merged-table.js';
import type { LaidBlock, Setting, TextBlock } from '../layout/laid-block.js';
import type { PlacedBlock } from './across-pages.js';
import { footnoteOf, withReferences } from './footnotes.js';
import { headingText, type HeadingLevels } from './headings.js';
import type { HyphenatedWords } from './hyphenated-words.js';
import { ListDepths } from './list-depths.js';

/** What a text is told by, beside itself. */
export interface DocumentTraits {
  readonly body: Setting;
  readonly levels: HeadingLevels;
  readonly words: HyphenatedWords;
}

const leaders = /\s*(?:\.\s?){5,}\s*/g;
const captionStart =
  /^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)?|tabelle|figura|tabla|tableau|рис(?:унок|\.)?|табл(?:ица|\.)?|图表?|圖|表)\s*\d+(?:[.\-–]\d+)*/i;
const longestCaption = 500;

/** Writes the blocks of a document in their order, each as what it is. */
export function writeDocument(blocks: readonly PlacedBlock[], traits: DocumentTraits, out: DocumentWriter): void {
  const writer = new BlockWriter(traits, out, labelsByPage(blocks, traits.body));
  for (const [i, { page, block }] of blocks.entries()) {
    out.turnTo(page);
    writer.write(block, page, blocks[i + 1]?.block);
  }
}

class BlockWriter {
  private readonly lists = new ListDepths();

  constructor(
    private readonly traits: DocumentTraits,
    private readonly out: DocumentWriter,
    private readonly labels: ReadonlyMap<number, ReadonlySet<string>>,
  ) {}

  write(block: LaidBlock, page: number, next: LaidBlock | undefined): void {
    if (block.kind === 'table') return this.table(block.rows, page);
    const level = this.traits.levels.get(block);
    if (level !== undefined) return this.other(() => this.out.heading(level, this.finished(headingText(block), page)));
    const note = footnoteOf(block, this.traits.body);
    if (note) return this.other(() => this.out.footnote(note.label, this.finished(note.text, page)));
    if (block.isMono && !this.traits.body.isMono) return this.other(() => this.out.code(block.text));
    if (block.mark && this.item(block, page, next)) return;
    const text = this.finished(headingText(block), page);
    this.other(() => (isCaption(block, this.traits.body) ? this.out.caption(text) : this.out.paragraph(text)));
  }

  private other(write: () => void): void {
    this.lists.end();
    write();
  }

  private table(rows: readonly MergedRow[], page: number): void {
    this.lists.end();
    const finished = rows.map((row) => ({
      cells: row.cells.map((cell) => ({ ...cell, text: this.finished(cell.text, page) })),
    }));
    writeMergedTable(finished, this.out);
  }

  private item(block: TextBlock, page: number, next: LaidBlock | undefined): boolean {
    const { mark } = block;
    if (!mark) return false;
    const depth = this.lists.next(block, mark, next?.kind === 'text' ? next : undefined);
    if (depth === undefined) return false;
    const text = mark.kind === 'letter' ? headingText(block) : block.text;
    this.out.listItem(this.finished(text, page), {
      depth,
      ...(mark.kind === 'number' ? { number: mark.value } : {}),
    });
    return true;
  }

  private finished(text: string, page: number): string {
    const mended = this.traits.words.mend(text).replace(leaders, ' … ');
    return withReferences(mended, this.labels.get(page));
  }
}

/** Labels of the notes that a text of a page can refer to: those of its own page, and of the next for what goes on there. */
function labelsByPage(blocks: readonly PlacedBlock[], body: Setting): Map<number, Set<string>> {
  const labels = new Map<number, Set<string>>();
  for (const { page, block } of blocks) {
    const note = block.kind === 'text' ? footnoteOf(block, body) : undefined;
    if (!note) continue;
    for (const reader of [page - 1, page]) labels.set(reader, (labels.get(reader) ?? new Set()).add(note.label));
  }
  return labels;
}

/** `Figure 3 shows that` is no caption; one ends its number, or is set smaller than the text. */
function isCaption({ text, size, lineCount }: TextBlock, body: Setting): boolean {
  const start = captionStart.exec(text)?.[0];
  if (start === undefined || text.length > longestCaption) return false;
  const isMarked = /^\s*(?:[.:|—–]|$|\s\p{Lu}|[\u2e80-\u9fff])/u.test(text.slice(start.length));
  return size < 0.97 * body.size || (isMarked && lineCount <= 4);
}
