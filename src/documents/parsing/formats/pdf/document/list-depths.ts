import type { TextBlock } from '../layout/laid-block.js';
import type { ListMark } from '../layout/list-mark.js';

/** In sizes: items whose marks differ by less stand on one level. */
const sameLevel = 0.6;

/** Follows the items of lists and tells how deep each stands, by where its mark is. */
export class ListDepths {
  private indents: number[] = [];
  private readonly last: (ListMark | undefined)[] = [];

  /** The depth of an item from 1; undefined for a text that only looks like one. */
  next(block: TextBlock, mark: ListMark, following: TextBlock | undefined): number | undefined {
    const near = sameLevel * block.size;
    const outer = this.indents.filter((indent) => indent < block.indent - near);
    const depth = outer.length + 1;
    if (!this.isItem(mark, this.indents.length >= depth ? this.last[depth - 1] : undefined, following?.mark))
      return undefined;
    this.indents = [...outer, block.indent];
    this.last[depth - 1] = mark;
    return depth;
  }

  /** Something else than an item was written. */
  end(): void {
    this.indents = [];
  }

  /** A letter begins a list only if it is the first one, or its neighbours count on: it may be an initial. */
  private isItem(mark: ListMark, before: ListMark | undefined, after: ListMark | undefined): boolean {
    if (mark.kind !== 'letter') return true;
    return mark.value === 1 || before?.value === mark.value - 1 || after?.value === mark.value + 1;
  }
}
