import { isSymbolFont, symbolOf } from '../ooxml/symbol-fonts.js';
import { omitted } from '../ooxml/omitted.js';
import type { Story } from './story.js';

/** A run while it is read. */
export interface RunDraft {
  hidden: boolean | undefined;
  style: string | undefined;
  font: string | undefined;
}

/** What stands for the characters that a font of symbols shows and nobody knows. */
const unknownSymbol = '\ufffd';

/** Takes the text of runs to where it belongs: into the paragraph, or among what is left out. */
export class RunText {
  /** How many tracked deletions, and places that text was moved away from, are open. */
  deletions = 0;
  moves = 0;
  /** Shown so far, without white space. */
  characters = 0;
  private deleted = '';

  constructor(private readonly story: Story) {}

  /** Whether what stands here can be seen. */
  get isShown(): boolean {
    return this.deletions === 0 && this.moves === 0 && !this.story.fields.hidesText && !this.isHidden();
  }

  write(text: string): void {
    const { fields } = this.story;
    if (this.moves > 0) return;
    if (this.deletions > 0) this.deleted += text;
    else if (fields.hidesText) fields.hide(text);
    else if (this.isHidden()) this.leaveOut(text);
    else this.show(this.inFont(text));
  }

  /** A character by its code in a font of symbols. */
  symbol(font: string, code: number): void {
    const known = symbolOf(font, code);
    if (known === undefined && this.isShown) {
      this.story.facts.omissions.add(omitted.symbols);
    }
    this.write(known ?? unknownSymbol);
  }

  /** Ends a deletion. */
  closeDeletion(): void {
    this.deletions -= 1;
    if (this.deletions > 0) return;
    if (this.deleted.trim() !== '') this.story.facts.omissions.add(omitted.deletions, { text: this.deleted });
    this.deleted = '';
  }

  private leaveOut(text: string): void {
    if (text.trim() !== '') this.story.facts.omissions.add(omitted.hiddenText, { text });
  }

  private show(text: string): void {
    this.characters += text.replace(/\s+/gu, '').length;
    const { equation, paragraph, page } = this.story;
    if (equation.isOpen) equation.write(text);
    else paragraph?.write(text);
    if (paragraph && /\S/.test(text)) paragraph.page ??= page;
  }

  private isHidden(): boolean {
    const run = this.story.runs.at(-1);
    const { styles } = this.story.facts;
    const byParagraph = (): boolean | undefined => styles.ofParagraph(this.story.paragraph?.style).hidden;
    return (
      run?.hidden ??
      (run?.style === undefined ? undefined : styles.effectOf(run.style).hidden) ??
      byParagraph() ??
      false
    );
  }

  /** Fonts of symbols show other characters than are written. */
  private inFont(text: string): string {
    const font = this.story.runs.at(-1)?.font;
    if (font === undefined || !isSymbolFont(font)) return text;
    return text.replace(
      /[\u0021-\u00ff\uf000-\uf0ff]/g,
      (character) => symbolOf(font, character.charCodeAt(0)) ?? character,
    );
  }
}
