import type { DocumentRepository } from '../../database/repositories/document-repository.js';
import { AppError } from '../../domain/errors.js';
import { PlanSource } from '../../domain/plan/plan-status.js';
import { Stage } from '../../domain/task/stage.js';
import type { PlanProposer } from '../../plans/plan-proposer.js';
import type { StorePlan } from '../../plans/store-plan.js';
import type { TextReader } from '../../plans/text-reader.js';
import type { TaskRun } from '../task-run.js';
import type { TaskStage } from '../task-stage.js';
import type { Closing } from '../work-result.js';

export interface StrategyRouteParts {
  readonly documents: DocumentRepository;
  readonly texts: TextReader;
  readonly proposer: PlanProposer;
  readonly plans: StorePlan;
}

/** Recommends a plan for the new text; its closing makes text and plan the document's in one commit. */
export class StrategyRoute implements TaskStage {
  readonly stage = Stage.StrategyRoute;

  constructor(private readonly parts: StrategyRouteParts) {}

  async run(run: TaskRun): Promise<Closing> {
    const { tenantId, documentId } = run.task;
    const source = await this.parts.documents.source(tenantId, documentId);
    if (!source) throw new AppError('CANCELLED', 'The document was deleted.');
    const textRevision = source.textRevision + 1;
    const text = await this.parts.texts.read(tenantId, documentId, textRevision);
    if (!text) throw new Error(`revision ${textRevision} of document ${documentId} is not there`);
    const proposal = await this.parts.proposer.propose(text, run.signal);
    return async (tx) => {
      await this.parts.documents.finishParsing(tx, documentId, textRevision);
      await this.parts.plans.store(tx, {
        tenantId,
        documentId,
        textRevision,
        proposal,
        source: PlanSource.Recommended,
      });
    };
  }
}
