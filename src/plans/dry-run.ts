import { validateSteps } from '../chunking/validate-steps.js';
import type { PlanRepository, StoredPlan } from '../database/repositories/plan-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { CutResult } from '../domain/text/chunk.js';
import { planInvalid, planNotFound, textNotAvailable } from './plan-errors.js';
import type { PlanTerms } from './plan-terms.js';
import { parsedDocument } from './steady-text.js';
import type { TextCutter, StructuredText } from './text-cutter.js';
import type { TextReader } from './text-reader.js';

/** One text of a document, and how each of some plans cuts it, in the order in which they were asked for. */
export interface DryRunResult {
  readonly documentId: Id;
  readonly textRevision: number;
  readonly text: StructuredText;
  readonly runs: readonly { readonly plan: StoredPlan; readonly cut: CutResult }[];
}

/** Carries plans out on the newest text of their document, as a build would, and stores nothing. */
export class DryRun {
  constructor(
    private readonly plans: PlanRepository,
    private readonly texts: TextReader,
    private readonly cutter: Pick<TextCutter, 'cut'>,
    private readonly terms: PlanTerms,
  ) {}

  /**
   * @param planIds at least one; all of one document.
   * @throws AppError PLAN_NOT_FOUND; PLAN_INVALID with all `problems`; TEXT_NOT_AVAILABLE; INVALID_REQUEST with
   *   `fields` if the plans belong to two documents.
   */
  async run(tenantId: TenantId, planIds: readonly Id[], signal?: AbortSignal): Promise<DryRunResult> {
    const plans: StoredPlan[] = [];
    for (const planId of planIds) plans.push(await this.executablePlan(tenantId, planId));
    const documentId = sharedDocument(plans);
    const { textRevision } = await parsedDocument(this.plans, tenantId, documentId);
    const text = await this.texts.read(tenantId, documentId, textRevision);
    if (!text) throw textNotAvailable(documentId);
    const runs: { plan: StoredPlan; cut: CutResult }[] = [];
    const { limits } = this.terms;
    for (const plan of plans) {
      runs.push({ plan, cut: await this.cutter.cut({ ...text, steps: plan.steps, limits }, signal) });
    }
    return { documentId, textRevision, text, runs };
  }

  private async executablePlan(tenantId: TenantId, planId: Id): Promise<StoredPlan> {
    const plan = await this.plans.find(tenantId, planId);
    if (!plan) throw planNotFound(planId);
    const problems = validateSteps(plan.steps, this.terms.limits, this.terms.maxSteps);
    if (problems.length > 0) throw planInvalid(problems);
    return plan;
  }
}

function sharedDocument(plans: readonly StoredPlan[]): Id {
  const [documentId, ...others] = new Set(plans.map((plan) => plan.documentId));
  if (documentId === undefined) throw new RangeError('a dry run needs a plan');
  if (others.length === 0) return documentId;
  const fields = [{ path: 'right', message: 'must be a plan of the same document as left' }];
  throw new AppError('INVALID_REQUEST', 'The plans belong to different documents.', { fields });
}
