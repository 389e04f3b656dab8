import type { KeptPieces } from '../word-processing/piece-target.js';

/** A paragraph while it is read. */
export class ParagraphDraft {
  style: string | undefined;
  numId: number | undefined;
  listLevel: number | undefined;
  outline: number | undefined;
  /** Its end was deleted or moved away: what follows belongs to it. */
  runsOn = false;
  page: number | undefined;
  /** Text boxes that are fixed to it. */
  readonly boxes: KeptPieces[] = [];
  private readonly parts: string[] = [];

  write(text: string): void {
    this.parts.push(text);
  }

  get text(): string {
    return this.parts.join('');
  }
}
