import { StrategyStatus } from '../../../domain/document/strategy-status.js';
import type { Id } from '../../../domain/ids/id.js';
import { PlanStatus } from '../../../domain/plan/plan-status.js';
import type { Database, TransactionContext } from '../../database.js';
import { scanRows } from './row-scan.js';
import { lockDocument } from './status-drift-repository.js';

const currentPlan = `left join strategy_plan p on p.id = seen.current_plan_id and p.document_id = seen.id and p.status = 1`;

/** What `strategyStatus` must be beside a current plan. */
const dueStatus = (planStatus: string): string =>
  `case ${planStatus} when ${PlanStatus.Confirmed} then ${StrategyStatus.Confirmed} else ${StrategyStatus.Recommended} end`;

/** Finds documents whose current plan is not there or says something else, and sets them right. */
export class PlanDriftRepository {
  constructor(private readonly database: Database) {}

  currentPlanMissing(): AsyncIterable<readonly Id[]> {
    const named = `seen.current_plan_id is not null or seen.strategy_status <> ${StrategyStatus.WaitRecommend}`;
    return this.scan(`p.id is null and (${named})`);
  }

  strategyStatusDisagrees(): AsyncIterable<readonly Id[]> {
    return this.scan(`p.id is not null and seen.strategy_status <> ${dueStatus('p.plan_status')}`);
  }

  /** Makes the newest plan that is there the current one, or none; false if nothing was to be changed. */
  async settle(tx: TransactionContext, documentId: Id): Promise<boolean> {
    await lockDocument(tx, documentId);
    const rows = await tx.query(
      `update document d
          set current_plan_id = due.plan_id, strategy_status = due.status, updated_at = now()
         from (select seen.id, n.id as plan_id,
                      case when n.id is null then ${StrategyStatus.WaitRecommend} else ${dueStatus('n.plan_status')} end as status
                 from document seen
                 left join lateral (
                   select p.id, p.plan_status from strategy_plan p
                    where p.document_id = seen.id and p.status = 1
                    order by p.id = seen.current_plan_id desc, p.plan_no desc limit 1) n on true
                where seen.id = $1) due
        where d.id = due.id and d.deleted_at is null
          and (d.current_plan_id is distinct from due.plan_id or d.strategy_status <> due.status)
       returning 1`,
      [documentId],
    );
    return rows.length === 1;
  }

  private scan(meant: string): AsyncIterable<readonly Id[]> {
    return scanRows(this.database, {
      table: 'document',
      candidates: 'deleted_at is null',
      joins: currentPlan,
      meant,
    });
  }
}
