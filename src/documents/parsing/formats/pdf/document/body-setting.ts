import type { LaidBlock, Setting } from '../layout/laid-block.js';

/** How most of a document's text is set. Sizes differ by less than a point in one text. */
export function bodySetting(blocks: readonly LaidBlock[]): Setting {
  const letters = new Map<string, { setting: Setting; count: number }>();
  for (const block of blocks) {
    if (block.kind !== 'text') continue;
    const setting = { size: roundSize(block.size), weight: block.weight, isMono: block.isMono };
    const key = `${setting.size} ${setting.weight} ${setting.isMono}`;
    const entry = letters.get(key) ?? { setting, count: 0 };
    // A long text weighs more than many short ones: in slides and forms most texts are titles and labels.
    entry.count += block.text.length * (block.lineCount > 1 ? 2 : 1);
    letters.set(key, entry);
  }
  const usual = { setting: { size: 10, weight: 0, isMono: false }, count: 0 };
  return [...letters.values()].reduce((best, entry) => (entry.count > best.count ? entry : best), usual).setting;
}

/** Sizes that are meant to be the same differ a little in the file. */
export function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}
