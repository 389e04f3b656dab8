import { roleByName, type StyleRole } from '../word-processing/style-roles.js';

interface RtfStyle {
  readonly name: string;
  readonly outline: number | undefined;
  readonly basedOn: number | undefined;
}

/** Outline level that stands for plain text. */
const bodyOutline = 9;
/** No real style builds on so many others; a circle has no end. */
const longestChain = 50;

/** The paragraph styles of a document, as its table lists them. */
export class RtfStyles {
  private readonly styles = new Map<number, RtfStyle>();
  private number: number | undefined;
  private outline: number | undefined;
  private basedOn: number | undefined;

  /** Begins an entry of the table. */
  begin(): void {
    this.number = 0;
    this.outline = undefined;
    this.basedOn = undefined;
  }

  /** Takes a word of an entry. */
  say(word: string, number: number | undefined): void {
    if (word === 's') this.number = number ?? 0;
    // Styles of characters, sections and tables have numbers of their own.
    else if (word === 'cs' || word === 'ds' || word === 'ts') this.number = undefined;
    else if (word === 'outlinelevel') this.outline = number;
    else if (word === 'sbasedon') this.basedOn = number;
  }

  /** Ends an entry by its name. */
  name(name: string): void {
    if (this.number === undefined) return;
    this.styles.set(this.number, { name: name.trim(), outline: this.outline, basedOn: this.basedOn });
  }

  /** What a paragraph is, by its own outline level or else by its style. */
  roleOf(outline: number | undefined, style: number): StyleRole {
    if (outline !== undefined) return outlineRole(outline);
    let next: number | undefined = style;
    for (let i = 0; next !== undefined && i < longestChain; i += 1) {
      const found: RtfStyle | undefined = this.styles.get(next);
      if (found?.outline !== undefined) return outlineRole(found.outline);
      const role = found && roleByName(found.name);
      if (role) return role;
      next = found?.basedOn;
    }
    return { type: 'text' };
  }
}

function outlineRole(outline: number): StyleRole {
  return outline >= 0 && outline < bodyOutline ? { type: 'heading', level: outline + 1 } : { type: 'text' };
}
