/** Code units that the scanner compares. */
export const Char = {
  Tab: 9,
  Space: 32,
  Bang: 33,
  Quote: 34,
  Hash: 35,
  Apostrophe: 39,
  ParenClose: 41,
  Star: 42,
  Plus: 43,
  Dash: 45,
  Dot: 46,
  Slash: 47,
  Zero: 48,
  Nine: 57,
  Colon: 58,
  Less: 60,
  Equals: 61,
  Greater: 62,
  Question: 63,
  BracketOpen: 91,
  Backslash: 92,
  BracketClose: 93,
  Caret: 94,
  Underscore: 95,
  Backtick: 96,
  Pipe: 124,
  Tilde: 126,
} as const;

const tabStop = 4;

export function isBlankChar(code: number): boolean {
  return code === Char.Space || code === Char.Tab;
}

/** The first place in `from`–`end` that is no space or tab, or `end`. */
export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlankChar(text.charCodeAt(at))) at += 1;
  return at;
}

/** The place behind the last character of `from`–`end` that is no space or tab, or `from`. */
export function trimBlanks(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && isBlankChar(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/**
 * Walks one line from container to container. Places are UTF-16 units of the whole text; columns count tabs up to the
 * next multiple of four, and a tab may be taken in parts.
 */
export class LineCursor {
  /** Where the line starts and ends, without its line end. */
  start = 0;
  end = 0;
  /** First place that no container has taken. */
  at = 0;
  /** First place from `at` on that is not blank, or `end`. */
  contentAt = 0;
  /** Columns between `at` and `contentAt`. */
  indent = 0;
  private column = 0;
  /** Columns of the tab at `at` that are taken already. */
  private takenOfTab = 0;

  constructor(readonly text: string) {}

  /** Goes to the start of a line. */
  reset(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.at = start;
    this.column = 0;
    this.takenOfTab = 0;
    this.lookAhead();
  }

  get isBlank(): boolean {
    return this.contentAt === this.end;
  }

  /** The code unit at `contentAt`, or −1 at the end of the line. */
  get code(): number {
    return this.contentAt < this.end ? this.text.charCodeAt(this.contentAt) : -1;
  }

  /** Takes the blanks before the content and `count` characters of it, none of them tabs. */
  takeContent(count: number): void {
    this.column += this.indent + count;
    this.at = this.contentAt + count;
    this.takenOfTab = 0;
    this.lookAhead();
  }

  /** Takes `count` columns of blanks, or as many as there are. */
  takeColumns(count: number): void {
    let left = Math.min(count, this.indent);
    while (left > 0) {
      const isTab = this.text.charCodeAt(this.at) === Char.Tab;
      const width = isTab ? this.widthOfTab() : 1;
      const taken = Math.min(width, left);
      this.column += taken;
      left -= taken;
      if (taken === width) {
        this.at += 1;
        this.takenOfTab = 0;
      } else {
        this.takenOfTab += taken;
      }
    }
    this.lookAhead();
  }

  private widthOfTab(): number {
    return tabStop - (this.column % tabStop);
  }

  private lookAhead(): void {
    let column = this.column;
    let at = this.at;
    for (; at < this.end; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code === Char.Tab) column += tabStop - (column % tabStop);
      else if (code === Char.Space) column += 1;
      else break;
    }
    this.contentAt = at;
    this.indent = column - this.column;
  }
}
