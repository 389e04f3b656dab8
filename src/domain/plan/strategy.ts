import type { CodeTable } from '../coded-value.js';

/** Ways to cut a text. Each is one pure function in `chunking/strategies`. */
export const Strategy = {
  /** Along headings and blocks. */
  Structure: 1,
  /** Along a list of separators, coarse to fine, limited by tokens. */
  Recursive: 2,
  /** Where the meaning changes, judged by embeddings. */
  Semantic: 3,
  /** Where a chat model says, by line number. */
  Llm: 4,
  /** Along sentence ends. */
  Sentence: 5,
  /** Tables by rows. */
  TableRows: 6,
} as const;
export type Strategy = (typeof Strategy)[keyof typeof Strategy];

export const strategyTable: CodeTable<Strategy> = {
  1: { name: 'STRUCTURE', text: { en: 'Cuts along headings and blocks', zh: '按标题与结构切分' } },
  2: { name: 'RECURSIVE', text: { en: 'Cuts along separators, coarse to fine', zh: '按分隔符递归切分' } },
  3: { name: 'SEMANTIC', text: { en: 'Cuts where the meaning changes', zh: '按语义切分' } },
  4: { name: 'LLM', text: { en: 'Cuts where a language model says', zh: '由大模型决定切点' } },
  5: { name: 'SENTENCE', text: { en: 'Cuts along sentence ends', zh: '按句子切分' } },
  6: { name: 'TABLE_ROWS', text: { en: 'Cuts tables by rows', zh: '按表格行切分' } },
};

/** The two sizes of chunk: children are found, parents are read. A plain name in the API. */
export const Level = { Parent: 'PARENT', Child: 'CHILD' } as const;
export type Level = (typeof Level)[keyof typeof Level];
export const levels: readonly Level[] = [Level.Parent, Level.Child];

/** A parameter's value as plans store it. */
export type ParamValue = number | string | readonly string[];
export type StepParams = Readonly<Record<string, ParamValue>>;

/** One step of a plan. Steps of one level run in order; each refines only the pieces that are over its limit. */
export interface PlanStep {
  readonly level: Level;
  readonly strategy: Strategy;
  readonly params: StepParams;
}
