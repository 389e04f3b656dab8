import type { TransactionContext } from '../database/database.js';
import type { PlanRepository, StoredPlan } from '../database/repositories/plan-repository.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { PlanSource } from '../domain/plan/plan-status.js';
import { documentNotFound, planNotFound } from './plan-errors.js';
import type { PlanProposal } from './plan-proposer.js';

/** What becomes a plan, and of which document. */
export interface PlanToStore {
  readonly tenantId: TenantId;
  readonly documentId: Id;
  /** The revision of the text that the proposal was made for. */
  readonly textRevision: number;
  readonly proposal: PlanProposal;
  readonly source: PlanSource;
  readonly createdBy?: Id;
  readonly basedOn?: Id;
}

/** Makes a proposal the document's newest and current plan, unconfirmed. */
export class StorePlan {
  constructor(
    private readonly plans: PlanRepository,
    private readonly ids: { next(): Id },
  ) {}

  /**
   * Takes the document's lock, as accepting a build does, and leaves committing to the caller.
   *
   * @throws AppError DOCUMENT_NOT_FOUND if the document is unknown or deleted.
   */
  async store(tx: TransactionContext, { proposal, ...about }: PlanToStore): Promise<Id> {
    const document = await this.plans.lockDocument(tx, about.tenantId, about.documentId);
    if (!document) throw documentNotFound(about.documentId);
    const planId = this.ids.next();
    await this.plans.insertCurrent(tx, { ...about, ...proposal, planId });
    return planId;
  }
}

/** A plan that was stored. @throws AppError PLAN_NOT_FOUND if its document has been deleted since. */
export async function storedPlan(plans: PlanRepository, tenantId: TenantId, planId: Id): Promise<StoredPlan> {
  const plan = await plans.find(tenantId, planId);
  if (!plan) throw planNotFound(planId);
  return plan;
}
