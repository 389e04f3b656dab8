import type { CodeTable, Moves } from '../coded-value.js';

export const PlanStatus = {
  /** Proposed by the service or edited by a person; nobody has confirmed it. */
  WaitConfirm: 1,
  /** Confirmed by a person; it may be built while it is the document's current plan. */
  Confirmed: 2,
  /** A later plan of the document was confirmed. */
  Superseded: 3,
} as const;
export type PlanStatus = (typeof PlanStatus)[keyof typeof PlanStatus];

export const planStatusTable: CodeTable<PlanStatus> = {
  1: { name: 'WAIT_CONFIRM', text: { en: 'Waiting for confirmation', zh: '待确认' } },
  2: { name: 'CONFIRMED', text: { en: 'Confirmed', zh: '已确认' } },
  3: { name: 'SUPERSEDED', text: { en: 'Superseded', zh: '已被取代' } },
};

export const planStatusMoves: Moves<PlanStatus> = {
  1: [PlanStatus.Confirmed, PlanStatus.Superseded],
  2: [PlanStatus.Superseded],
  3: [],
};

/** Where a plan came from. A plain name in the API. */
export const PlanSource = { Recommended: 'RECOMMENDED', Edited: 'EDITED' } as const;
export type PlanSource = (typeof PlanSource)[keyof typeof PlanSource];
