/** Where the text of a group goes. */
export interface Destination {
  /** Takes decoded text. Where it is absent nothing is decoded. */
  write?(text: string): void;
  /** Takes a control word that only means something here; true if it was one. */
  say?(word: string, number: number | undefined): boolean;
  /** Nothing in it means anything: neither words nor groups. */
  readonly isDead?: boolean;
}

/** Groups that are of no use here. */
export const dead: Destination = { isDead: true };

/** Groups whose text is none of the document, while words in them may mean something. */
export const mute: Destination = {};

/** Gathers text. */
export class Gathered implements Destination {
  private readonly parts: string[] = [];

  write(text: string): void {
    this.parts.push(text);
  }

  get text(): string {
    return this.parts.join('');
  }
}

interface Table {
  begin?(): void;
  say(word: string, number: number | undefined): void;
  name(name: string): void;
}

/** Entries of a table: words about each, and its name, which ends with a semicolon. */
export class TableEntries implements Destination {
  private name = '';

  constructor(private readonly table: Table) {
    table.begin?.();
  }

  write(text: string): void {
    const [first = '', ...others] = text.split(';');
    this.name += first;
    for (const other of others) {
      this.table.name(this.name);
      this.table.begin?.();
      this.name = other;
    }
  }

  say(word: string, number: number | undefined): boolean {
    this.table.say(word, number);
    // Letters that are written as words, and the fonts that names are written in, mean the same everywhere.
    return word !== 'u' && word !== 'uc' && word !== "'";
  }
}
