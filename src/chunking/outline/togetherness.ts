import type { Outline } from './outline.js';
import type { Unit } from './unit.js';

const wholeTypes: ReadonlySet<string> = new Set(['code', 'table', 'listItem', 'heading', 'html', 'frontMatter']);
const introduced: ReadonlySet<string> = new Set(['code', 'table', 'listItem']);
const colon = /[:：]$/;

/** Says which cuts would take apart what belongs together. */
export class Togetherness {
  constructor(
    private readonly text: string,
    private readonly outline: Outline,
  ) {}

  /**
   * True if a cut would part a heading from what is under it, leave an opening or closing fence or the head of a table
   * alone, or go through a heading.
   */
  tears(at: number): boolean {
    const [before, after] = this.around(at);
    if (!before || !after) return false;
    if (before !== after)
      return before.type === 'heading' && !(after.type === 'heading' && after.depth <= before.depth);
    if (before.type === 'heading') return true;
    return (before.headEnd > before.contentStart && at <= before.headEnd) || at >= before.tailStart;
  }

  /** True if a cut would part a list, a table or code from the line that announces it. */
  partsIntroduction(at: number): boolean {
    const [before, after] = this.around(at);
    if (!before || !after || before === after || before.type !== 'paragraph' || !introduced.has(after.type))
      return false;
    return colon.test(this.text.slice(before.contentEnd - 1, before.contentEnd));
  }

  /** The unit that a cut would go through although it reads best as a whole. */
  wholeUnitAt(at: number): Unit | undefined {
    const [before, after] = this.around(at);
    return before && before === after && wholeTypes.has(before.type) ? before : undefined;
  }

  /** The units on both sides of a cut; the same one twice if the cut goes through it. */
  private around(at: number): [before: Unit | undefined, after: Unit | undefined] {
    const { units } = this.outline;
    const index = this.outline.indexAt(at);
    const unit = units[index];
    if (!unit) return [undefined, undefined];
    if (at >= unit.contentEnd) return [unit, units[index + 1]];
    if (at <= unit.contentStart) return [units[index - 1], unit];
    return [unit, unit];
  }
}
