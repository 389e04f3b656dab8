import type { Block } from '../../domain/text/block.js';
import { isBlankAt } from '../text/blanks.js';
import type { CodePoints } from '../text/code-points.js';
import { headingText } from './heading-text.js';
import { headEndOf, tailStartOf, type Unit } from './unit.js';

/** The stretch under one heading, up to the next heading of its level or above. Section 0 is the whole text. */
export interface Section {
  readonly parent: number;
  /** Level of the heading; 0 for the whole text. */
  readonly depth: number;
  readonly heading: string;
}

const lineFeed = 10;
const longestIndent = 100;
/** Longest table head that is repeated as context, in units. */
const longestTableHead = 2_000;

/** What a text is made of: its blocks in order, and the sections that its headings open. */
export class Outline {
  private readonly paths = new Map<number, readonly string[]>();
  private readonly hasPages: boolean;

  private constructor(
    private readonly text: string,
    readonly units: readonly Unit[],
    private readonly sections: readonly Section[],
  ) {
    this.hasPages = units.some(({ page }) => page !== undefined);
  }

  /** @param blocks in order and without overlaps, as parsing gives them. */
  static of(text: string, blocks: readonly Block[], points: CodePoints): Outline {
    const sections = new SectionList();
    const units: Unit[] = [];
    let floor = 0;
    for (const { type, depth, charStart, charEnd, page } of blocks) {
      // A page break holds nothing that could be cut.
      if (charStart === charEnd) continue;
      const contentStart = points.unitAt(charStart);
      const contentEnd = points.unitAt(charEnd);
      const level = depth ?? (type === 'heading' ? 1 : 0);
      if (type === 'heading') sections.open(level, headingText(text.slice(contentStart, contentEnd)));
      units.push({
        type,
        depth: level,
        start: units.length === 0 ? 0 : lineStart(text, floor, contentStart),
        contentStart,
        contentEnd,
        headEnd: headEndOf(type, text, contentStart, contentEnd),
        tailStart: tailStartOf(type, text, contentStart, contentEnd),
        page,
        section: sections.current,
      });
      floor = contentEnd;
    }
    return new Outline(text, units, sections.all);
  }

  /** Index of the unit that holds an offset, or -1 if the text has no units. */
  indexAt(offset: number): number {
    let low = 0;
    let high = this.units.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.units[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return high;
  }

  /** The units that have content in a range. */
  *unitsIn(start: number, end: number): Generator<Unit> {
    for (let index = this.indexAfter(start); index < this.units.length; index += 1) {
      const unit = this.units[index];
      if (!unit || unit.contentStart >= end) return;
      yield unit;
    }
  }

  /** Index of the first unit whose content goes on behind an offset. */
  private indexAfter(offset: number): number {
    const index = Math.max(this.indexAt(offset), 0);
    return (this.units[index]?.contentEnd ?? 0) > offset ? index : index + 1;
  }

  sectionOf(index: number): Section {
    return this.sections[index] ?? { parent: 0, depth: 0, heading: '' };
  }

  /** How many headings enclose what is in a section, its own included. */
  nesting(index: number): number {
    let depth = 0;
    for (let section = index; section !== 0; section = this.sectionOf(section).parent) depth += 1;
    return depth;
  }

  /** Headings above all that a range holds, outermost first. A heading counts only if nothing else is there. */
  headingPath(start: number, end: number): readonly string[] {
    let shared = -1;
    let headings = -1;
    for (let index = this.indexAfter(start); index < this.units.length; index += 1) {
      const unit = this.units[index];
      if (!unit || unit.contentStart >= end) break;
      if (unit.type === 'heading') headings = headings < 0 ? unit.section : this.sharedSection(headings, unit.section);
      else shared = shared < 0 ? unit.section : this.sharedSection(shared, unit.section);
    }
    return this.pathOf(shared >= 0 ? shared : Math.max(headings, 0));
  }

  /** Pages that a range lies on, or undefined where the format has none. */
  pages(start: number, end: number): readonly number[] | undefined {
    if (!this.hasPages) return undefined;
    const pages = new Set<number>();
    for (const unit of this.unitsIn(start, end)) if (unit.page !== undefined) pages.add(unit.page);
    return pages.size > 0 ? [...pages] : undefined;
  }

  /** The head of the table that an offset lies in, if the offset is behind it. */
  tableHeadAbove(offset: number): string | undefined {
    const unit = this.units[this.indexAt(offset)];
    if (unit?.type !== 'table' || unit.headEnd === unit.contentStart) return undefined;
    if (offset < unit.headEnd || offset >= unit.contentEnd) return undefined;
    return this.text.slice(unit.contentStart, Math.min(unit.headEnd, unit.contentStart + longestTableHead)).trimEnd();
  }

  private pathOf(section: number): readonly string[] {
    const known = this.paths.get(section);
    if (known) return known;
    const { parent, heading } = this.sectionOf(section);
    const path = section === 0 ? [] : [...this.pathOf(parent), ...(heading === '' ? [] : [heading])];
    this.paths.set(section, path);
    return path;
  }

  private sharedSection(one: number, other: number): number {
    let [left, right] = [one, other];
    // A section comes after the one around it.
    while (left !== right) {
      if (left > right) left = this.sectionOf(left).parent;
      else right = this.sectionOf(right).parent;
    }
    return left;
  }
}

/** Sections as their headings come. */
class SectionList {
  readonly all: Section[] = [{ parent: 0, depth: 0, heading: '' }];
  current = 0;

  open(depth: number, heading: string): void {
    let parent = this.current;
    while (parent !== 0 && (this.all[parent]?.depth ?? 0) >= depth) parent = this.all[parent]?.parent ?? 0;
    this.current = this.all.push({ parent, depth, heading }) - 1;
  }
}

/** A unit takes the indentation of its first line with it. */
function lineStart(text: string, floor: number, contentStart: number): number {
  const least = Math.max(floor, contentStart - longestIndent);
  let unit = contentStart;
  while (unit > least && text.charCodeAt(unit - 1) !== lineFeed && isBlankAt(text, unit - 1)) unit -= 1;
  return unit === floor || text.charCodeAt(unit - 1) === lineFeed ? unit : contentStart;
}
