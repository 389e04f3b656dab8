/** Scripts that are written without spaces, with their punctuation. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u;
/** White space that browsers draw together, and no-break spaces, which stand where authors wanted room. */
const blank = /[ \t\n\r\f\u00a0]+/g;

/**
 * Text of one block as a browser shows it: white space drawn together, line ends only where the author asks for them. A
 * line end between Chinese or Japanese characters is no space. Soft hyphens are gone.
 */
export class InlineText {
  private text = '';
  private gap: '' | ' ' | '\n' = '';
  private hasWords = false;
  /** The last character of the text. To look for it in the text itself would copy it each time. */
  last = '';

  add(text: string): void {
    let from = 0;
    for (const { 0: space, index } of text.matchAll(blank)) {
      this.word(text.slice(from, index));
      this.space(space.includes('\n') ? '\n' : ' ');
      from = index + space.length;
    }
    this.word(text.slice(from));
  }

  /** Parts what comes next from what was before. */
  space(kind: ' ' | '\n' = ' '): void {
    if (this.gap !== ' ') this.gap = kind;
  }

  lineBreak(): void {
    this.text += '\n';
    this.last = '\n';
    this.gap = '';
  }

  get isEmpty(): boolean {
    return !this.hasWords;
  }

  /** True where white space stands at the end. */
  get endsWithSpace(): boolean {
    return this.gap !== '' || this.last === '\n';
  }

  /** The whole text; there is none afterwards. */
  take(): string {
    const { text } = this;
    this.text = '';
    this.gap = '';
    this.last = '';
    this.hasWords = false;
    return text.trim();
  }

  private word(raw: string): void {
    const word = raw.replaceAll('\u00ad', '');
    if (word === '') return;
    if (this.gap !== '' && this.last !== '' && this.last !== '\n' && !this.joins(word)) this.text += ' ';
    this.gap = '';
    this.text += word;
    this.last = lastPoint(word);
    this.hasWords = true;
  }

  /** True where the gap is a line end between two characters that need no space. */
  private joins(word: string): boolean {
    return (
      this.gap === '\n' && unspaced.test(this.last) && unspaced.test(String.fromCodePoint(word.codePointAt(0) ?? 0))
    );
  }
}

function lastPoint(text: string): string {
  const unit = text.slice(-1);
  return /[\udc00-\udfff]/.test(unit) ? text.slice(-2) : unit;
}
