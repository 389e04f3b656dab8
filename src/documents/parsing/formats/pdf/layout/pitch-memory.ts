import type { FlowLine } from './line-flow.js';

/** Distances of lines in sizes, where nothing better is known. */
const usualPitch = 1.2;
const widestUsual = 1.75;
const widestPitch = 2.4;
const enoughLines = 4;

/** How far apart the lines of a text of some size usually are, learnt from what was seen so far. */
export class PitchMemory {
  private readonly seen = new Map<number, Map<number, number>>();

  /** Learns from a column. */
  note(lines: readonly FlowLine[]): void {
    for (const [i, { line, pitch }] of lines.entries()) {
      const before = lines[i - 1]?.line;
      if (!before || pitch === undefined || Math.abs(before.size - line.size) > 0.05 * line.size) continue;
      if (pitch < 0.8 * line.size || pitch > widestPitch * line.size) continue;
      const pitches = this.seen.get(Math.round(line.size)) ?? new Map<number, number>();
      this.seen.set(Math.round(line.size), pitches);
      const rounded = Math.round(pitch * 2) / 2;
      pitches.set(rounded, (pitches.get(rounded) ?? 0) + 1);
    }
  }

  /** Points from one line to the next within a text of this size. */
  pitchOf(size: number): number {
    const pitches = [...(this.seen.get(Math.round(size)) ?? [])].sort(([a], [b]) => a - b);
    const total = pitches.reduce((sum, [, count]) => sum + count, 0);
    const [least = usualPitch * size] = pitches[0] ?? [];
    if (total < enoughLines) return least < widestUsual * size ? least : usualPitch * size;
    // The smallest that is common: wider ones lie between paragraphs.
    return pitches.find(([, count]) => count >= 0.25 * total)?.[0] ?? usualPitch * size;
  }
}
