import type { LaidBlock, Setting, TextBlock } from '../layout/laid-block.js';
import { roundSize } from './body-setting.js';
import { OutlineTitles, type OutlineEntry } from './outline.js';

/** Levels from 1 of the blocks that are headings. */
export type HeadingLevels = ReadonlyMap<TextBlock, number>;

const longestHeading = 200;
const mostLines = 3;
/** To the size of the body. */
const largerSize = 1.12;
const sameSize = 0.97;
/** Headings of which there is this share of all letters are no headings. */
const largestShare = 0.3;
const sentence = /[.,;。，；、]$/u;
/** The line of a table of contents. */
const listed = /(?:\.\s?){5,}|…\s*\d+$/;
const numbering = /^(\d{1,3}(?:\.\d{1,3}){0,5})[.\s]/;

/** Headings that are set alike, and numbered to the same depth. */
interface HeadingKind {
  readonly size: number;
  readonly weight: number;
  readonly numbers: number;
  readonly blocks: TextBlock[];
}

/** Headings by their size and weight beside the body, and by the outline that a document brings along. */
export function headingLevels(
  blocks: readonly LaidBlock[],
  body: Setting,
  outline: readonly OutlineEntry[],
): HeadingLevels {
  const texts = blocks.filter((block): block is TextBlock => block.kind === 'text');
  const titles = new OutlineTitles(outline);
  const outlined = new Map<TextBlock, number>();
  for (const block of texts) {
    const depth = isShort(block) ? titles.take(headingText(block)) : undefined;
    if (depth !== undefined) outlined.set(block, depth);
  }
  const found = texts.filter((block, i) => outlined.has(block) || isCandidate(block, texts[i + 1], body));
  const kinds = kindsOf(found).filter(
    (kind) => !isText(kind, texts) || kind.blocks.some((block) => outlined.has(block)),
  );
  return outlined.size > 0 ? levelsByOutline(kinds, outlined) : levelsByRank(kinds);
}

/** A heading's text as it reads, with the mark that looked like that of a list. */
export function headingText({ mark, text }: TextBlock): string {
  return mark ? `${mark.mark} ${text}` : text;
}

function isShort({ lineCount, text }: TextBlock): boolean {
  return lineCount <= mostLines && text.length <= longestHeading;
}

function isCandidate(block: TextBlock, next: TextBlock | undefined, body: Setting): boolean {
  const { text, lineCount, size, weight, isMono, mark, isAtFoot } = block;
  if (!isShort(block) || isMono || isAtFoot || mark?.kind === 'bullet' || !/\p{L}/u.test(text)) return false;
  if ((mark === undefined && /^\p{Ll}/u.test(text)) || listed.test(text)) return false;
  if (size >= largerSize * body.size) return !(sentence.test(text) && lineCount > 1);
  // Bold and of the usual size: a heading stands over something, and is no sentence.
  const isHeavier = weight > body.weight && size >= sameSize * body.size;
  return isHeavier && !sentence.test(text) && next !== undefined && (next.weight < weight || next.size < size);
}

/** Kinds from the most to the least prominent. */
function kindsOf(blocks: readonly TextBlock[]): HeadingKind[] {
  const kinds = new Map<string, HeadingKind>();
  for (const block of blocks) {
    const [size, weight] = [roundSize(block.size), block.weight];
    const numbers = numbering.exec(headingText(block))?.[1]?.split('.').length ?? 1;
    const key = `${size} ${weight} ${numbers}`;
    const kind = kinds.get(key) ?? { size, weight, numbers, blocks: [] };
    kind.blocks.push(block);
    kinds.set(key, kind);
  }
  return [...kinds.values()].sort((a, b) => b.size - a.size || b.weight - a.weight || a.numbers - b.numbers);
}

/** Set like a text that is longer than headings are together. */
function isText({ size, weight, blocks }: HeadingKind, texts: readonly TextBlock[]): boolean {
  let all = 0;
  let alike = 0;
  for (const { text, size: other, weight: heavy } of texts) {
    all += text.length;
    if (roundSize(other) === size && heavy === weight) alike += text.length;
  }
  return alike > largestShare * all && blocks.length > 1;
}

/** A title that stands once, over all others, is the first level; what else stands once beside it, the second. */
function levelsByRank(kinds: readonly HeadingKind[]): HeadingLevels {
  const common = kinds.findIndex(({ blocks }) => blocks.length > 1);
  const titles = common < 0 ? 0 : common;
  const levels = new Map<TextBlock, number>();
  for (const [i, { blocks }] of kinds.entries()) {
    const level = i < titles ? Math.min(i + 1, 2) : i - titles + Math.min(titles, 1) + 1;
    for (const block of blocks) levels.set(block, level);
  }
  return levels;
}

/** Headings that the outline leaves out stand above all, if they are larger than it, or below the next larger ones. */
function levelsByOutline(kinds: readonly HeadingKind[], outlined: ReadonlyMap<TextBlock, number>): HeadingLevels {
  const levels = new Map<TextBlock, number>();
  const first = kinds.findIndex(({ blocks }) => blocks.some((block) => outlined.has(block)));
  const below = first > 0 ? 1 : 0;
  let last = 0;
  for (const [i, { blocks }] of kinds.entries()) {
    const depths = blocks.flatMap((block) => outlined.get(block) ?? []);
    const usual = depths.length > 0 ? mostCommon(depths) + below : i < first ? 1 : last + 1;
    if (depths.length > 0) last = usual;
    for (const block of blocks) levels.set(block, (outlined.get(block) ?? usual - below) + below);
  }
  return levels;
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [1, 0])[0];
}
