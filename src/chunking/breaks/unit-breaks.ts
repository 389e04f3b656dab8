import type { Outline } from '../outline/outline.js';
import type { Unit } from '../outline/unit.js';
import type { BreakSource } from './break-source.js';

/** Breaks before units of a text, all or those that a test picks. */
export class UnitBreaks implements BreakSource {
  constructor(
    private readonly outline: Outline,
    readonly rule: string,
    private readonly picks: (unit: Unit, before: Unit) => boolean,
  ) {}

  last(from: number, to: number): number {
    for (let index = this.outline.indexAt(to); index > 0; index -= 1) {
      const start = this.outline.units[index]?.start ?? 0;
      if (start <= from) return -1;
      if (this.picked(index)) return start;
    }
    return -1;
  }

  next(from: number): number {
    for (let index = Math.max(this.outline.indexAt(from) + 1, 1); index < this.outline.units.length; index += 1) {
      if (this.picked(index)) return this.outline.units[index]?.start ?? Infinity;
    }
    return Infinity;
  }

  private picked(index: number): boolean {
    const [before, unit] = [this.outline.units[index - 1], this.outline.units[index]];
    return before !== undefined && unit !== undefined && this.picks(unit, before);
  }
}
