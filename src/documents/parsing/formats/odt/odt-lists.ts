import type { XmlAttributes } from '../../containers/xml-events.js';
import type { ShownMark } from '../word-processing/piece-of.js';
import { levelMark, mostLevels, wholeNumber } from './list-levels.js';
import type { OdtStyles } from './odt-styles.js';

interface OpenList {
  readonly style: string;
  readonly counts: Map<number, number>;
  readonly depth: number;
  item: OpenItem | undefined;
}

interface OpenItem {
  readonly isCounted: boolean;
  readonly start: number | undefined;
  /** Its first paragraph, which has the mark, was read. */
  isMarked: boolean;
}

/** Counts the items of lists, and the headings. */
export class OdtLists {
  private open: OpenList[] = [];
  /** Counts of lists that others may go on with, by their names and by their styles. */
  private readonly byName = new Map<string, Map<number, number>>();
  private readonly byStyle = new Map<string, Map<number, number>>();
  private readonly headings = new Map<number, number>();

  constructor(private readonly styles: OdtStyles) {}

  openList(attributes: XmlAttributes): void {
    const outer = this.open.at(-1);
    const style = attributes['text:style-name'] ?? outer?.style ?? '';
    const counts = outer?.counts ?? this.countsOf(style, attributes);
    this.open.push({ style, counts, depth: Math.min((outer?.depth ?? 0) + 1, mostLevels), item: undefined });
    if (outer) return;
    this.byStyle.set(style, counts);
    const name = attributes['xml:id'];
    if (name !== undefined) this.byName.set(name, counts);
  }

  closeList(): void {
    this.open.pop();
  }

  openItem(attributes: XmlAttributes, isCounted: boolean): void {
    const list = this.open.at(-1);
    if (list) list.item = { isCounted, start: wholeNumber(attributes['text:start-value']), isMarked: false };
  }

  closeItem(): void {
    const list = this.open.at(-1);
    if (list) list.item = undefined;
  }

  /** Lists within a frame have nothing to do with those around it. */
  apart(): () => void {
    const { open } = this;
    this.open = [];
    return () => {
      this.open = open;
    };
  }

  /** The mark of the next paragraph; `continued` if it belongs to the item that was begun before, undefined outside lists. */
  nextMark(): ShownMark | 'continued' | undefined {
    const list = this.open.at(-1);
    const item = list?.item;
    if (!list || !item) return undefined;
    if (item.isMarked) return 'continued';
    item.isMarked = true;
    const { depth, counts, style } = list;
    if (!item.isCounted) return { depth, label: '' };
    const levels = this.styles.levelsOf(style);
    count(counts, depth, item.start ?? (counts.get(depth) ?? (levels.get(depth)?.start ?? 1) - 1) + 1);
    return { depth, ...levelMark(levels, depth, counts) };
  }

  /** The number before a heading, as the document counts its headings; empty if it does not. */
  nextHeading(level: number, attributes: XmlAttributes): string {
    if (attributes['text:is-list-header'] === 'true') return '';
    const levels = this.styles.outlineLevels;
    const restart =
      attributes['text:restart-numbering'] === 'true' ? (wholeNumber(attributes['text:start-value']) ?? 1) : undefined;
    count(this.headings, level, restart ?? (this.headings.get(level) ?? (levels.get(level)?.start ?? 1) - 1) + 1);
    return levelMark(levels, level, this.headings).label;
  }

  private countsOf(style: string, attributes: XmlAttributes): Map<number, number> {
    const continued = attributes['text:continue-list'];
    const before = continued === undefined ? undefined : this.byName.get(continued);
    if (before) return before;
    return (attributes['text:continue-numbering'] === 'true' && this.byStyle.get(style)) || new Map<number, number>();
  }
}

/** Counts an item; those within the one before it are counted anew. */
function count(counts: Map<number, number>, level: number, number: number): void {
  counts.set(level, number);
  for (let inner = level + 1; inner <= mostLevels; inner += 1) counts.delete(inner);
}
