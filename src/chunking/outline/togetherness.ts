import type { Outline } from './outline.js';
import type { Unit } from './unit.js';

const wholeTypes: ReadonlySet<string> = new Set(['code', 'table', 'listItem', 'heading', 'html', 'frontMatter']);
const introduced: ReadonlySet<string> = new Set(['code', 'table', 'listItem']);
const colon = /[:：]$/;

/** A cut with the units on both sides of it; the same one twice if it goes through a unit. */
export interface CutPlace {
  readonly offset: number;
  readonly before: Unit | undefined;
  readonly after: Unit | undefined;
}

/** Says which cuts would take apart what belongs together. */
export class Togetherness {
  constructor(
    private readonly text: string,
    private readonly outline: Outline,
  ) {}

  /** What lies on both sides of a cut. */
  at(offset: number): CutPlace {
    const { units } = this.outline;
    const index = this.outline.indexAt(offset);
    const unit = units[index];
    if (!unit) return { offset, before: undefined, after: undefined };
    if (offset >= unit.contentEnd) return { offset, before: unit, after: units[index + 1] };
    if (offset <= unit.contentStart) return { offset, before: units[index - 1], after: unit };
    return { offset, before: unit, after: unit };
  }

  /**
   * True if a cut would part a heading from what is under it, leave an opening or closing fence or the head of a table
   * alone, or go through a heading.
   */
  tears({ offset, before, after }: CutPlace): boolean {
    if (!before || !after) return false;
    if (before !== after)
      return before.type === 'heading' && !(after.type === 'heading' && after.depth <= before.depth);
    if (before.type === 'heading') return true;
    return (before.headEnd > before.contentStart && offset <= before.headEnd) || offset >= before.tailStart;
  }

  /** True if a cut would part a list, a table or code from the line that announces it. */
  partsIntroduction({ before, after }: CutPlace): boolean {
    if (!before || !after || before === after || before.type !== 'paragraph' || !introduced.has(after.type))
      return false;
    return colon.test(this.text.slice(before.contentEnd - 1, before.contentEnd));
  }

  /** The unit that a cut would go through although it reads best as a whole. */
  wholeUnit({ before, after }: CutPlace): Unit | undefined {
    return before && before === after && wholeTypes.has(before.type) ? before : undefined;
  }
}
