import { skipBlanks, trimBlanks, type LineCursor } from './line-cursor.js';
import { endOfDefinitions } from './reference-definitions.js';
import { headCells } from './table-rows.js';

/** Longer paragraphs are not looked through for definitions. */
const longestDefinitions = 100_000;
const codeIndent = 4;

/** The lines of a paragraph that is not finished: a later line can make a heading or a table of them. */
export class Paragraph {
  /** UTF-16 places of each line's first character, with its containers' marks and without, and of its end. */
  private readonly starts: number[] = [];
  private readonly contents: number[] = [];
  private readonly ends: number[] = [];
  private lastCanBeHead = false;

  /** @param onItemLine true if its first line holds the mark of a list item or footnote. */
  constructor(
    private readonly text: string,
    readonly onItemLine: boolean,
  ) {}

  get lineCount(): number {
    return this.starts.length;
  }

  get start(): number {
    return this.startOfLine(0);
  }

  startOfLine(line: number): number {
    return this.starts[line] ?? 0;
  }

  endOfLine(line: number): number {
    return this.ends[line] ?? 0;
  }

  /** @param isLazy true if the line lacks marks of the containers that the paragraph is in. */
  addLine(cursor: LineCursor, isLazy: boolean): void {
    this.lastCanBeHead = !isLazy && cursor.indent < codeIndent;
    this.starts.push(skipBlanks(this.text, cursor.start, cursor.end));
    this.contents.push(cursor.contentAt);
    this.ends.push(trimBlanks(this.text, cursor.start, cursor.end));
  }

  /** Cells of the last line as the head of a table, or 0. */
  headCells(): number {
    const last = this.lineCount - 1;
    return this.lastCanBeHead ? headCells(this.text, this.contents[last] ?? 0, this.endOfLine(last)) : 0;
  }

  /** How many lines at its start are link reference definitions. */
  linesOfDefinitions(): number {
    const length = this.endOfLine(this.lineCount - 1) - this.start;
    if (this.text[this.contents[0] ?? 0] !== '[' || length > longestDefinitions) return 0;
    const lines = this.contents.map((content, line) => this.text.slice(content, this.endOfLine(line)));
    const end = endOfDefinitions(lines.join('\n'));
    let at = 0;
    return lines.filter((line) => (at += line.length + 1) <= end + 1).length;
  }
}
