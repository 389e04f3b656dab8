import type { PlanFeatures } from '../domain/plan/recommendation.js';
import type { Block, BlockType } from '../domain/text/block.js';
import { sentenceEnds } from './breaks/sentence-ends.js';
import type { Unit } from './outline/unit.js';
import { SourceText, type Range } from './source-text.js';
import { countLetters } from './text/letters.js';
import { countVisible } from './text/visible.js';
import type { TokenCounter } from './token-counter.js';

const proseTypes: ReadonlySet<BlockType> = new Set(['paragraph', 'quote']);

/**
 * Measures what a recommendation goes by. Sentences are those of paragraphs and quotes, or of the whole text if it has
 * no blocks; a section is a heading and the text up to the next one. Takes time in proportion to the text.
 */
export function measureFeatures(
  { text, blocks }: { readonly text: string; readonly blocks: readonly Block[] },
  counter: TokenCounter,
): PlanFeatures {
  const source = new SourceText(text, blocks, counter);
  const { points, tokens, outline } = source;
  const of = (type: BlockType): Unit[] => outline.units.filter((unit) => unit.type === type);
  const visible = countVisible(text, 0, text.length);
  const shareOf = (type: BlockType): number =>
    share(
      of(type).reduce((sum, unit) => sum + countVisible(text, unit.contentStart, unit.contentEnd), 0),
      visible,
    );
  const sections = spread(sectionsOf(source).map(({ start, end }) => tokens.count(start, end)));
  const sentences = spread(sentencesOf(source).map(({ start, end }) => tokens.count(start, end)));
  const letters = countLetters(text);
  return {
    chars: points.length,
    tokens: tokens.tokens,
    headings: of('heading').length,
    headingDepth: of('heading').reduce((most, unit) => Math.max(most, outline.nesting(unit.section)), 0),
    sectionTokensMedian: sections.median,
    sectionTokensMax: sections.max,
    paragraphs: of('paragraph').length,
    listItems: of('listItem').length,
    tables: of('table').length,
    tableShare: shareOf('table'),
    codeShare: shareOf('code'),
    sentences: sentences.count,
    sentenceTokensMedian: sentences.median,
    sentenceTokensMax: sentences.max,
    cjkShare: share(letters.cjk, letters.all),
    unknownTokenShare: share(tokens.unknownTokens, tokens.tokens),
  };
}

function sectionsOf({ outline, text }: SourceText): Range[] {
  const starts = outline.units.filter((unit) => unit.type === 'heading').map((unit) => unit.start);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

function sentencesOf(source: SourceText): Range[] {
  const { text, outline } = source;
  const prose: Range[] = outline.units
    .filter((unit) => proseTypes.has(unit.type))
    .map((unit) => ({ start: unit.contentStart, end: unit.contentEnd }));
  if (outline.units.length === 0) prose.push({ start: 0, end: text.length });
  return prose.flatMap((range) => {
    const ends = [...sentenceEnds(text, outline, range), range.end];
    return ends.map((end, index) => ({ start: ends[index - 1] ?? range.start, end }));
  });
}

function spread(sizes: readonly number[]): { count: number; median: number; max: number } {
  const sorted = Uint32Array.from(sizes.filter((size) => size > 0)).sort();
  return { count: sorted.length, median: sorted[sorted.length >> 1] ?? 0, max: sorted.at(-1) ?? 0 };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
