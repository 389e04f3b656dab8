import { completeSteps } from '../chunking/complete-steps.js';
import { validateSteps, type ProposedStep } from '../chunking/validate-steps.js';
import type { Database, TransactionContext } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { PlannedDocument, PlanRepository, StoredPlan } from '../database/repositories/plan-repository.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { PlanSource } from '../domain/plan/plan-status.js';
import type { PlanFeatures, PlanReason } from '../domain/plan/recommendation.js';
import type { PlanStep } from '../domain/plan/strategy.js';
import { planInvalid, planNotFound } from './plan-errors.js';
import type { PlanProposal } from './plan-proposer.js';
import type { PlanTerms } from './plan-terms.js';
import { warningsOn } from './recommend/recommendation.js';
import { onSteadyText, type SteadyWork } from './steady-text.js';
import { storedPlan, type StorePlan } from './store-plan.js';
import type { TextCutter } from './text-cutter.js';
import type { TextReader } from './text-reader.js';

/** Steps as a person wrote them, and the plan they started from. */
export interface PlanEdit {
  readonly steps: readonly ProposedStep[];
  readonly basedOn?: Id;
}

/** Makes a person's steps the document's newest plan, which then waits to be confirmed. No plan is ever changed. */
export class EditPlan {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanRepository,
    private readonly texts: TextReader,
    private readonly cutter: Pick<TextCutter, 'measure'>,
    private readonly storing: StorePlan,
    private readonly terms: PlanTerms,
  ) {}

  /**
   * A live build does not stand in the way: it builds what was frozen on it.
   *
   * @throws AppError DOCUMENT_NOT_FOUND; TEXT_NOT_AVAILABLE before the first parse; PLAN_INVALID with all `problems`;
   *   PLAN_NOT_FOUND if `basedOn` is no plan of the document; TOO_BUSY.
   */
  async edit(tenantId: TenantId, documentId: Id, edit: PlanEdit, operatorId?: Id, once?: Once): Promise<StoredPlan> {
    const work: SteadyWork<Pick<PlanProposal, 'steps' | 'features'>, Id> = {
      prepare: async (document) => {
        const steps = this.executable(edit.steps);
        const features = await this.featuresOf(tenantId, document);
        return features && { steps, features };
      },
      store: async (tx, { textRevision }, { steps, features }) => {
        const base = await this.baseOf(tx, tenantId, documentId, edit.basedOn);
        return this.storing.store(tx, {
          tenantId,
          documentId,
          textRevision,
          proposal: { steps, features, reasons: this.reasonsFor(steps, features, base) },
          source: PlanSource.Edited,
          ...(edit.basedOn ? { basedOn: edit.basedOn } : {}),
          ...(operatorId ? { createdBy: operatorId } : {}),
        });
      },
    };
    return storedPlan(
      this.plans,
      tenantId,
      await onSteadyText(this.database, this.plans, tenantId, documentId, work, once),
    );
  }

  private executable(steps: readonly ProposedStep[]): PlanStep[] {
    const { limits, maxSteps } = this.terms;
    const problems = validateSteps(steps, limits, maxSteps);
    if (problems.length > 0) throw planInvalid(problems);
    return completeSteps(steps, limits);
  }

  /** Measured when the text was parsed; anew only where no plan of that text tells them. */
  private async featuresOf(tenantId: TenantId, document: PlannedDocument): Promise<PlanFeatures | undefined> {
    const { documentId, textRevision } = document;
    const known = await this.plans.featuresOf(tenantId, documentId, textRevision);
    if (known) return known;
    const text = await this.texts.read(tenantId, documentId, textRevision);
    return text && this.cutter.measure(text);
  }

  private async baseOf(
    tx: TransactionContext,
    tenantId: TenantId,
    documentId: Id,
    basedOn: Id | undefined,
  ): Promise<StoredPlan | undefined> {
    if (!basedOn) return undefined;
    const base = await this.plans.find(tenantId, basedOn, tx);
    if (base?.documentId !== documentId) throw planNotFound(basedOn);
    return base;
  }

  private reasonsFor(steps: readonly PlanStep[], features: PlanFeatures, base: StoredPlan | undefined): PlanReason[] {
    const from = base
      ? { en: `, starting from plan ${base.planNo}`, zh: `，以方案 ${base.planNo} 为基础` }
      : { en: '', zh: '' };
    const edited: PlanReason = {
      code: 'EDITED',
      text: { en: `These steps were chosen by hand${from.en}.`, zh: `这些步骤由人工选定${from.zh}。` },
      evidence: { steps: steps.length, ...(base ? { basedOnPlanNo: base.planNo } : {}) },
    };
    return [edited, ...warningsOn({ features, limits: this.terms.limits, model: this.terms.model })];
  }
}
