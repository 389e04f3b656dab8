import { AppError } from '../../../../domain/errors.js';
import { corrupt, tooLarge, type ReadLimits } from '../../read-limits.js';
import type { DocumentWriter } from '../../writing/document-writer.js';
import { writing } from '../format.js';
import type { PageContent } from './content/page-content.js';
import { joinAcross, type PlacedBlock } from './document/across-pages.js';
import { bodySetting } from './document/body-setting.js';
import { headingLevels } from './document/headings.js';
import { HyphenatedWords } from './document/hyphenated-words.js';
import { PdfOmissions } from './document/pdf-omissions.js';
import { outlineOf } from './document/outline.js';
import { pagesAround, RunningHeads } from './document/running-heads.js';
import { writeDocument } from './document/write-document.js';
import type { LaidBlock } from './layout/laid-block.js';
import { layoutPage } from './layout/layout-page.js';
import { PitchMemory } from './layout/pitch-memory.js';
import { openPdf, type OpenPdf } from './library/open-pdf.js';
import { layersOf, readPage } from './library/pdf-page.js';

/**
 * Reads a PDF: pages are laid out one after the other, a few pages behind their reading, because what runs over pages
 * shows in their neighbours; headings, notes and parted words show when all is read.
 */
export const readPdf = writing(async ({ file }, out, limits) => {
  const pdf = await openPdf(file);
  try {
    await new PdfReader(pdf, limits).read(out);
  } finally {
    await pdf.close();
  }
});

class PdfReader {
  private readonly omissions = new PdfOmissions();
  private readonly pitches = new PitchMemory();
  private readonly words = new HyphenatedWords();
  private readonly heads: RunningHeads;
  private readonly waiting: PageContent[] = [];
  private readonly blocks: PlacedBlock[] = [];
  private letters = 0;

  constructor(
    private readonly pdf: OpenPdf,
    private readonly limits: ReadLimits,
  ) {
    this.heads = new RunningHeads(pdf.document.numPages);
  }

  async read(out: DocumentWriter): Promise<void> {
    const { numPages } = this.pdf.document;
    if (numPages > this.limits.pages) throw tooLarge('pages', this.limits.pages, `${this.limits.pages} pages`);
    const isShown = await layersOf(this.pdf);
    for (let number = 1; number <= numPages; number += 1) {
      const page = await this.page(number, isShown);
      if (!page) continue;
      this.heads.note(page);
      this.waiting.push(page);
      if (this.waiting.length > pagesAround) this.layout(this.waiting.shift());
    }
    while (this.waiting.length > 0) this.layout(this.waiting.shift());
    await this.write(out);
  }

  /** One page; undefined if it is damaged. */
  private async page(number: number, isShown: (layer: unknown) => boolean): Promise<PageContent | undefined> {
    try {
      const page = await readPage(this.pdf, number, isShown);
      this.omissions.page(page);
      return page;
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.omissions.damagedPage(number);
      if (this.omissions.damagedCount === this.pdf.document.numPages)
        throw corrupt('none of its pages can be read', error);
      return undefined;
    }
  }

  private layout(page: PageContent | undefined): void {
    if (!page) return;
    const { pieces, texts } = this.heads.take(page.number);
    const blocks = layoutPage(page, pieces, this.pitches);
    this.omissions.runningHeads(page.number, texts, blocks.length === 0);
    for (const block of blocks) {
      this.blocks.push({ page: page.number, block });
      if (block.kind === 'text') this.words.note(block.text);
      this.count(lettersOf(block));
    }
  }

  /** The writer would notice as well, but only after all of it was gathered. */
  private count(letters: number): void {
    const { textChars, blocks } = this.limits;
    this.letters += letters;
    // In UTF-16 a character has two units at most.
    if (this.letters > 2 * textChars) throw tooLarge('textChars', textChars, `${textChars} characters of text`);
    if (this.blocks.length > blocks) throw tooLarge('blocks', blocks, `${blocks} paragraphs and other pieces`);
  }

  private async write(out: DocumentWriter): Promise<void> {
    const { numPages } = this.pdf.document;
    if (this.blocks.length === 0) {
      const none =
        numPages === 0 ? 'The file has no pages' : `None of its pages holds text: ${numPages} blank or of pictures`;
      throw new AppError('NO_TEXT', `${none}.`);
    }
    const outline = await outlineOf(this.pdf.document);
    const placed = joinAcross(this.blocks);
    const blocks = placed.map(({ block }) => block);
    const body = bodySetting(blocks);
    const levels = headingLevels(blocks, body, outline);
    writeDocument(placed, { body, levels, words: this.words }, out);
    this.omissions.tell(out, numPages);
  }
}

function lettersOf(block: LaidBlock): number {
  if (block.kind === 'text') return block.text.length;
  return block.rows.reduce((sum, { cells }) => cells.reduce((row, { text }) => row + text.length, sum), 0);
}
