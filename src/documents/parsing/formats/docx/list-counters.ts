import type { ShownMark } from '../word-processing/piece-of.js';
import { formatNumber } from '../word-processing/number-format.js';
import { mostLevels, type ListDefinition, type ListLevel, type Numbering } from './numbering.js';

/** A number with nothing but punctuation around it: Markdown can write it itself. */
const plainNumber = /^[\s([]*%\d[\s.)\]:、．]*$/u;

/** Counts the items of all lists of a document, in its order. */
export class ListCounters {
  private readonly counts = new Map<string, Map<number, number>>();
  private readonly begun = new Set<string>();

  constructor(private readonly numbering: Numbering) {}

  /** Counts a paragraph; undefined if its list does not exist or gives it no mark. */
  next(listId: number, level: number): ShownMark | undefined {
    const list = this.numbering.list(listId);
    const at = Math.min(Math.max(level, 0), mostLevels - 1);
    const definition = list?.levels.get(at);
    if (!list || !definition) return undefined;
    if (definition.format === 'bullet') return { depth: at + 1, label: '' };
    const counts = this.count(list, listId, at, definition);
    const label = shown(list, definition, counts).trim();
    if (label === '') return undefined;
    const number = counts.get(at) ?? 0;
    const isPlain = definition.format === 'decimal' && plainNumber.test(definition.text) && number >= 0 && number < 1e9;
    return { depth: at + 1, label, ...(isPlain ? { number } : {}) };
  }

  private count(list: ListDefinition, listId: number, at: number, { start }: ListLevel): Map<number, number> {
    const counts = this.counts.get(list.counter) ?? new Map<number, number>();
    this.counts.set(list.counter, counts);
    const restart = list.restarts.get(at);
    const isFirst = restart !== undefined && !this.begun.has(`${listId} ${at}`);
    if (isFirst) this.begun.add(`${listId} ${at}`);
    const before = isFirst ? undefined : counts.get(at);
    counts.set(at, before === undefined ? (restart ?? start) : before + 1);
    for (let inner = at + 1; inner < mostLevels; inner += 1) {
      const after = list.levels.get(inner)?.restartsAfter;
      if (after === undefined || (after > 0 && at < after)) counts.delete(inner);
    }
    return counts;
  }
}

/** The text of a level with the numbers in it; outer levels that have no item yet show their start. */
function shown(list: ListDefinition, { text, isLegal }: ListLevel, counts: ReadonlyMap<number, number>): string {
  return text.replace(/%([1-9])/g, (_, digit: string) => {
    const level = list.levels.get(Number(digit) - 1);
    const number = counts.get(Number(digit) - 1) ?? level?.start ?? 0;
    return formatNumber(number, isLegal ? 'decimal' : (level?.format ?? 'decimal'));
  });
}
