import type { Database } from '../database/database.js';
import type { PlanRepository, StoredPlan } from '../database/repositories/plan-repository.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { PlanStatus } from '../domain/plan/plan-status.js';
import { planNotFound, planStale } from './plan-errors.js';

/** Records that a person agrees to a document's current plan. */
export class ConfirmPlan {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanRepository,
  ) {}

  /**
   * Confirming again changes nothing and gives the plan as it is. Under the document's lock, so that of a confirmation
   * and an edit at the same moment one sees the other.
   *
   * @throws AppError PLAN_NOT_FOUND; PLAN_STALE with `currentPlanId`.
   */
  async confirm(tenantId: TenantId, planId: Id, operatorId?: Id): Promise<StoredPlan> {
    const known = await this.plans.find(tenantId, planId);
    if (!known) throw planNotFound(planId);
    return this.database.transaction(async (tx) => {
      const document = await this.plans.lockDocument(tx, tenantId, known.documentId);
      if (!document) throw planNotFound(planId);
      if (document.currentPlanId !== planId) throw planStale(planId, document.currentPlanId);
      const plan = await this.plans.get(tx, tenantId, planId);
      if (plan.planStatus === PlanStatus.Confirmed) return plan;
      await this.plans.confirm(tx, tenantId, plan, operatorId);
      return this.plans.get(tx, tenantId, planId);
    });
  }
}
