import type { Database, TransactionContext } from '../../database/database.js';
import type { PlanDriftRepository } from '../../database/repositories/drift/plan-drift-repository.js';
import type { StatusDriftRepository } from '../../database/repositories/drift/status-drift-repository.js';
import type { DriftKind } from './drift-kind.js';

/** Documents that say something else than their newest task. */
export function statusDrift(database: Database, statuses: StatusDriftRepository) {
  const kind = (
    name: string,
    scan: () => AsyncIterable<readonly string[]>,
    work: (tx: TransactionContext, id: string, kind: string) => Promise<boolean>,
  ): DriftKind => ({
    name,
    mendedBy: 'upkeep',
    scan,
    settle: (id) => database.transaction((tx) => work(tx, id, name)),
  });
  const settleIndex = statuses.settleIndex.bind(statuses);
  const settleParsing = statuses.settleParsing.bind(statuses);
  return {
    buildingWithoutTask: kind('BUILDING_WITHOUT_TASK', () => statuses.buildingWithoutTask(), settleIndex),
    indexStatusDisagrees: kind('INDEX_STATUS_DISAGREES', () => statuses.otherIndexStatus(), settleIndex),
    parsingWithoutTask: kind('PARSING_WITHOUT_TASK', () => statuses.parsingWithoutTask(), settleParsing),
    parseStatusDisagrees: kind('PARSE_STATUS_DISAGREES', () => statuses.otherParseStatus(), settleParsing),
  };
}

/** Documents whose current plan is not there, or is confirmed where they say it is not. */
export function planDrift(database: Database, plans: PlanDriftRepository): readonly DriftKind[] {
  const settle = (id: string): Promise<boolean> => database.transaction((tx) => plans.settle(tx, id));
  return [
    { name: 'CURRENT_PLAN_MISSING', mendedBy: 'upkeep', scan: () => plans.currentPlanMissing(), settle },
    { name: 'STRATEGY_STATUS_DISAGREES', mendedBy: 'upkeep', scan: () => plans.strategyStatusDisagrees(), settle },
  ];
}
