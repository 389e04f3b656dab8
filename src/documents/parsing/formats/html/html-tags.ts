import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Attributes by name, in lower case; the first of two with one name counts. */
export type HtmlAttributes = ReadonlyMap<string, string>;

/** Gets tags as they stand in the source, balanced or not. Names are in lower case. */
export interface TagHandler {
  open(name: string, attributes: HtmlAttributes): void;
  close(name: string): void;
  text(text: string): void;
  /** True within SVG and MathML, where elements may close themselves and CDATA is text. */
  isForeign(): boolean;
}

/** As some writers of XHTML name its elements. */
const prefix = /^(?:x?html|h):/;

/** Reads the tags and texts of a page, entities decoded, as a browser tells them apart. */
export function readTags(page: string, handler: TagHandler, isXhtml: boolean): void {
  const tokenizer = new Tokenizer({ recognizeSelfClosing: isXhtml }, new TagCollector(page, handler, isXhtml));
  tokenizer.write(page);
  tokenizer.end();
}

/** Puts the pieces of each tag together. Positions count units of the page, which is written as a whole. */
class TagCollector implements TokenizerCallbacks {
  private name = '';
  private attributes = new Map<string, string>();
  private attribute = '';
  private value = '';

  constructor(
    private readonly page: string,
    private readonly handler: TagHandler,
    private readonly isXhtml: boolean,
  ) {}

  ontext(start: number, end: number): void {
    this.handler.text(this.page.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.handler.text(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.name = this.nameAt(start, end);
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.page.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.page.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
    this.value = '';
  }

  onopentagend(): void {
    this.handler.open(this.name, this.attributes);
  }

  onselfclosingtag(): void {
    this.handler.open(this.name, this.attributes);
    if (this.isXhtml || this.handler.isForeign()) this.handler.close(this.name);
  }

  onclosetag(start: number, end: number): void {
    this.handler.close(this.nameAt(start, end));
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.isXhtml || this.handler.isForeign()) this.handler.text(this.page.slice(start, end - offset));
  }

  isInForeignContext(): boolean {
    return this.handler.isForeign();
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private nameAt(start: number, end: number): string {
    const name = this.page.slice(start, end).toLowerCase();
    return this.isXhtml ? name.replace(prefix, '') : name;
  }
}
