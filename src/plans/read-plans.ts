import type { PlanRepository, StoredPlan } from '../database/repositories/plan-repository.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { Page, PageRequest } from '../domain/page.js';
import { documentNotFound } from './plan-errors.js';
import { storedPlan } from './store-plan.js';

/** Looks plans up for people. */
export class ReadPlans {
  constructor(private readonly plans: PlanRepository) {}

  /** @throws AppError PLAN_NOT_FOUND, also for plans of deleted documents. */
  get(tenantId: TenantId, planId: Id): Promise<StoredPlan> {
    return storedPlan(this.plans, tenantId, planId);
  }

  /** All versions, newest first. @throws AppError DOCUMENT_NOT_FOUND. */
  async list(tenantId: TenantId, documentId: Id, page: PageRequest): Promise<Page<StoredPlan>> {
    if (!(await this.plans.findDocument(tenantId, documentId))) throw documentNotFound(documentId);
    return this.plans.list(tenantId, documentId, page);
  }
}
