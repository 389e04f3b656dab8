import type { Database } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { PlanRepository, StoredPlan } from '../database/repositories/plan-repository.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { PlanSource } from '../domain/plan/plan-status.js';
import type { PlanProposal, PlanProposer } from './plan-proposer.js';
import { onSteadyText, type SteadyWork } from './steady-text.js';
import { storedPlan, type StorePlan } from './store-plan.js';
import type { TextReader } from './text-reader.js';

/** Measures a document anew and makes the recommendation its current plan. */
export class RecommendPlan {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanRepository,
    private readonly texts: TextReader,
    private readonly proposer: PlanProposer,
    private readonly storing: StorePlan,
  ) {}

  /** @throws AppError DOCUMENT_NOT_FOUND, TEXT_NOT_AVAILABLE, TOO_BUSY. */
  async recommend(tenantId: TenantId, documentId: Id, operatorId?: Id, once?: Once): Promise<StoredPlan> {
    const work: SteadyWork<PlanProposal, Id> = {
      prepare: async ({ textRevision }) => {
        const text = await this.texts.read(tenantId, documentId, textRevision);
        return text && this.proposer.propose(text);
      },
      store: (tx, { textRevision }, proposal) =>
        this.storing.store(tx, {
          tenantId,
          documentId,
          textRevision,
          proposal,
          source: PlanSource.Recommended,
          ...(operatorId ? { createdBy: operatorId } : {}),
        }),
    };
    return storedPlan(
      this.plans,
      tenantId,
      await onSteadyText(this.database, this.plans, tenantId, documentId, work, once),
    );
  }
}
