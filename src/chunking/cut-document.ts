import { Level, type PlanStep } from '../domain/plan/strategy.js';
import type { Block } from '../domain/text/block.js';
import type { ChunkLimits, CutResult } from '../domain/text/chunk.js';
import { ChunkList } from './chunk-list.js';
import { completeSteps } from './complete-steps.js';
import { proveCoverage } from './coverage.js';
import { LevelCutter } from './cut-level.js';
import { withOverlaps } from './overlap.js';
import type { Piece } from './piece.js';
import { SourceText } from './source-text.js';
import type { TokenCounter } from './token-counter.js';

/** A parsed text and the plan to cut it by. */
export interface CutInput {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly steps: readonly PlanStep[];
  readonly limits: ChunkLimits;
}

/** Rule of the last parent: the text ends there. */
const endOfText = 'TEXT:end';
/** Rule of the last child of a parent. */
const endOfParent = 'PARENT:end';

/**
 * Cuts a text into parents, and every parent into children. Takes time in proportion to the text, and gives the same
 * chunks for the same input. A text of blanks only has no chunks.
 *
 * @throws AppError PLAN_INVALID if the steps cannot be executed under the limits; CHUNK_LIMIT if a single character is
 *   over a limit.
 */
export function cutDocument({ text, blocks, steps, limits }: CutInput, counter: TokenCounter): CutResult {
  const complete = completeSteps(steps, limits);
  const source = new SourceText(text, blocks, counter);
  const cutterOf = (level: Level): LevelCutter => {
    const own = complete.filter((step) => step.level === level);
    return new LevelCutter(source, own, limits[level], counter.specialTokens);
  };
  const [parentCutter, childCutter] = [cutterOf(Level.Parent), cutterOf(Level.Child)];
  const parents = new ChunkList(source, counter, Level.Parent);
  const children = new ChunkList(source, counter, Level.Child);
  const parentPieces = parentCutter.cut({ start: 0, end: text.length, rule: endOfText });
  addAll(source, parentCutter, parentPieces, parents, undefined);
  parentPieces.forEach((parent, ordinal) => {
    const pieces = childCutter.cut({ start: parent.start, end: parent.end, rule: endOfParent });
    addAll(source, childCutter, pieces, children, ordinal);
  });
  const chunks = { parents: parents.chunks, children: children.chunks };
  return { ...chunks, coverage: proveCoverage(text, source.points, chunks, []) };
}

function addAll(
  source: SourceText,
  cutter: LevelCutter,
  pieces: readonly Piece[],
  chunks: ChunkList,
  parentOrdinal: number | undefined,
): void {
  const ranges = withOverlaps(source, pieces, cutter.overlapTokens, cutter.fullRoom);
  pieces.forEach((piece, index) => {
    chunks.add(piece, ranges[index] ?? piece, parentOrdinal);
  });
}
