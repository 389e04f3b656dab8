import type { CodeTable, Moves } from '../coded-value.js';

/** Whether a person has confirmed how the document is cut. */
export const StrategyStatus = {
  /** No plan yet: the document is not parsed. */
  WaitRecommend: 1,
  /** The current plan waits for a person. */
  Recommended: 2,
  /** A person confirmed the current plan. */
  Confirmed: 3,
} as const;
export type StrategyStatus = (typeof StrategyStatus)[keyof typeof StrategyStatus];

export const strategyStatusTable: CodeTable<StrategyStatus> = {
  1: { name: 'WAIT_RECOMMEND', text: { en: 'Waiting for a recommendation', zh: '等待策略推荐' } },
  2: { name: 'RECOMMENDED', text: { en: 'Waiting for confirmation', zh: '已推荐，待确认' } },
  3: { name: 'CONFIRMED', text: { en: 'Confirmed', zh: '已确认' } },
};

/** A new current plan always waits for a person again. */
export const strategyStatusMoves: Moves<StrategyStatus> = {
  1: [StrategyStatus.Recommended],
  2: [StrategyStatus.Recommended, StrategyStatus.Confirmed],
  3: [StrategyStatus.Recommended],
};
