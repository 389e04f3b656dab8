/** What is to be done when an element ends. */
export type Leave = () => void;

interface OpenElement {
  readonly name: string;
  readonly leave: Leave | undefined;
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements that have no end tag. */
const voidElements = names(
  'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr',
);
const tables = names('table');
const rows = names('tr table');
const cells = names('td th caption table');
const lists = names('ul ol menu dir dl td th caption table');
/** Elements whose start ends an open paragraph. */
const paragraphEnders = names(
  'address article aside blockquote center details dialog dir div dl dt dd fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr li main menu nav ol p pre search section summary table ul xmp listing',
);
const paragraphs = names('p');
const headings = names('h1 h2 h3 h4 h5 h6');

/** Start tag → open elements that it ends, and those beyond which it ends none. */
const impliedEnds: ReadonlyMap<string, readonly [ends: ReadonlySet<string>, within: ReadonlySet<string>]> = new Map([
  ['li', [names('li'), lists]],
  ['dt', [names('dt dd'), lists]],
  ['dd', [names('dt dd'), lists]],
  ['td', [names('td th'), rows]],
  ['th', [names('td th'), rows]],
  ['tr', [names('tr caption colgroup'), tables]],
  ['thead', [names('tbody thead tfoot caption colgroup'), tables]],
  ['tbody', [names('tbody thead tfoot caption colgroup'), tables]],
  ['tfoot', [names('tbody thead tfoot caption colgroup'), tables]],
  ['rt', [names('rt rp'), names('ruby')]],
  ['rp', [names('rt rp'), names('ruby')]],
]);
const tableParts = names('table thead tbody tfoot tr td th caption colgroup');
/** An element that is deeper below others than this is not looked for: it ends with them. */
const searchedDepth = 200;

/**
 * Balances the tags of a page as browsers do: ends that are not written, ends without a start, ends in the wrong order.
 * Takes time in proportion to the tags, however deep they are nested.
 */
export class OpenElements {
  private readonly stack: OpenElement[] = [];

  /** Ends what the start of an element of this name ends. */
  makeWay(name: string): void {
    if (paragraphEnders.has(name)) this.endOne(paragraphs, cells);
    if (headings.has(name) && headings.has(this.stack.at(-1)?.name ?? '')) this.pop();
    const implied = impliedEnds.get(name);
    if (implied) this.endOne(...implied);
  }

  /** Puts an element on top; one that has no end tag is left at once. */
  push(name: string, leave: Leave | undefined): void {
    if (voidElements.has(name)) return leave?.();
    this.stack.push({ name, leave });
  }

  /** Ends the innermost element of this name, and all within it; nothing if none is open here. */
  close(name: string): void {
    this.endOne(new Set([name]), tableParts.has(name) ? tables : cells);
  }

  closeAll(): void {
    while (this.stack.length > 0) this.pop();
  }

  private endOne(ends: ReadonlySet<string>, within: ReadonlySet<string>): void {
    const bottom = Math.max(this.stack.length - searchedDepth, 0);
    for (let at = this.stack.length - 1; at >= bottom; at -= 1) {
      const name = this.stack[at]?.name ?? '';
      if (ends.has(name)) {
        while (this.stack.length > at) this.pop();
        return;
      }
      if (within.has(name)) return;
    }
  }

  private pop(): void {
    this.stack.pop()?.leave?.();
  }
}
