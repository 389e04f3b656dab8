import { cutDocument } from '../chunking/cut-document.js';
import type { TokenCounter } from '../chunking/token-counter.js';
import { Level, type PlanStep, type Strategy, type StepParams } from '../domain/plan/strategy.js';
import type { Block } from '../domain/text/block.js';
import type { ChunkLimits, CutResult } from '../domain/text/chunk.js';
import { simpleBlocks } from './simple-blocks.js';

/** The limits of the bundled model. */
export const usualLimits: ChunkLimits = {
  PARENT: { maxTokens: 4_096, maxChars: 16_000 },
  CHILD: { maxTokens: 256, maxChars: 2_000 },
};

type StepList = readonly (readonly [strategy: Strategy, params?: StepParams])[];

/** A plan in short; what is left out is structure for parents, separators for children, and the usual limits. */
export interface ShortPlan {
  readonly parent?: StepList;
  readonly child?: StepList;
  readonly blocks?: readonly Block[];
  readonly limits?: ChunkLimits;
}

/** Cuts a text by a plan in short. */
export function cutText(text: string, plan: ShortPlan, counter: TokenCounter): CutResult {
  const steps = [...stepsOf(Level.Parent, plan.parent ?? [[1]]), ...stepsOf(Level.Child, plan.child ?? [[2]])];
  const { blocks = simpleBlocks(text), limits = usualLimits } = plan;
  return cutDocument({ text, blocks, steps, limits }, counter);
}

function stepsOf(level: Level, list: StepList): PlanStep[] {
  return list.map(([strategy, params]) => ({ level, strategy, params: params ?? {} }));
}
