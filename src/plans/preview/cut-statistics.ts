import { Level } from '../../domain/plan/strategy.js';
import type { Block } from '../../domain/text/block.js';
import type { Chunk, CutResult } from '../../domain/text/chunk.js';
import { sizeDistribution, type SizeDistribution } from './size-distribution.js';
import { countSplitBlocks } from './split-blocks.js';
import { SentenceJudge } from './split-sentences.js';
import type { StructuredText } from '../text-cutter.js';

/** What one level of a cut looks like. */
export interface LevelStatistics {
  readonly count: number;
  readonly tokens: SizeDistribution;
  /** Tables, code blocks and sentences that no chunk of the level holds whole. */
  readonly splitTables: number;
  readonly splitFences: number;
  readonly splitSentences: number;
  /** Cuts that a hard limit forced inside something that its rule would keep whole. */
  readonly forcedCuts: number;
}

export type CutStatistics = Readonly<Record<Level, LevelStatistics>>;

/** @param text the one that was cut. */
export async function cutStatistics(cut: CutResult, text: StructuredText): Promise<CutStatistics> {
  const judge = new SentenceJudge(text);
  return {
    [Level.Parent]: await statisticsOf(cut.parents, text.blocks, judge),
    [Level.Child]: await statisticsOf(cut.children, text.blocks, judge),
  };
}

async function statisticsOf(
  chunks: readonly Chunk[],
  blocks: readonly Block[],
  judge: SentenceJudge,
): Promise<LevelStatistics> {
  return {
    count: chunks.length,
    tokens: sizeDistribution(chunks.map((chunk) => chunk.tokens)),
    splitTables: countSplitBlocks(blocks, 'table', chunks),
    splitFences: countSplitBlocks(blocks, 'code', chunks),
    splitSentences: await judge.countSplit(chunks),
    forcedCuts: chunks.filter((chunk) => chunk.forced).length,
  };
}
