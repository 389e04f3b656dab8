import type { Database } from '../database/database.js';
import type { BuildAcceptanceRepository } from '../database/repositories/build-acceptance-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { judgeBuild, type BuildCheck, type JudgePlan } from './build-checks.js';

export interface BuildChecks {
  readonly allowed: boolean;
  readonly checks: readonly BuildCheck[];
}

/** Tells, without changing anything, which of the four checks a build would pass now. */
export class CheckBuild {
  constructor(
    private readonly database: Database,
    private readonly acceptances: BuildAcceptanceRepository,
    private readonly judgePlan: JudgePlan,
  ) {}

  /** @throws AppError DOCUMENT_NOT_FOUND. */
  async check(tenantId: TenantId, documentId: Id, planId: Id): Promise<BuildChecks> {
    const facts = await this.acceptances.read(this.database, tenantId, documentId, planId);
    if (!facts) throw new AppError('DOCUMENT_NOT_FOUND', 'There is no such document.');
    const checks = judgeBuild(facts, planId, this.judgePlan);
    return { allowed: checks.every((check) => check.passed), checks };
  }
}
