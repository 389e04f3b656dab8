import { describe, type Language } from '../../domain/coded-value.js';
import type { StoredPlan, StoredStep } from '../../database/repositories/plan-repository.js';
import { PlanSource, PlanStatus, planStatusTable } from '../../domain/plan/plan-status.js';
import { ExecuteStatus, executeStatusTable } from '../../domain/plan/step-status.js';
import { levels, Strategy, strategyTable } from '../../domain/plan/strategy.js';
import { IdTextField } from '../fields/id-fields.js';
import { IntegerField } from '../fields/number-fields.js';
import { CodedField, JsonObjectField, ObjectListField } from '../fields/structured-fields.js';
import { ChoiceField, TextField, TimeField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';
import { timeText, type TimeText } from './time.js';

/** One step of a plan. */
export class StepView {
  @IntegerField({ description: 'Position in the plan, from 1.', example: 1, min: 1 })
  stepNo!: number;

  @ChoiceField({ description: 'The size of chunk it cuts.', example: 'PARENT', options: levels })
  level!: string;

  @CodedField({ description: 'How it cuts.', table: strategyTable, example: Strategy.Structure })
  strategy!: CodedView;

  @JsonObjectField({ description: 'Every parameter, spelled out.', example: { maxTokens: 256, overlapTokens: 0 } })
  params!: object;

  @CodedField({
    description: 'How the newest build stands with it.',
    table: executeStatusTable,
    example: ExecuteStatus.WaitExecute,
  })
  executeStatus!: CodedView;
}

/** One reason for a plan. */
export class ReasonView {
  @TextField({ description: 'Stable code.', example: 'HEADINGS' })
  code!: string;

  @TextField({ description: 'In words, in the language of Accept-Language.', example: 'The text has headings.' })
  text!: string;

  @JsonObjectField({ description: 'The figures that led to it.', example: { headings: 12 } })
  evidence!: object;
}

/** A plan as the API answers it. */
export class PlanView {
  @IdTextField({ description: 'Id of the plan.', example: '241865211904000003' })
  planId!: string;

  @IdTextField({ description: 'The document it is for.', example: '241865211904000002' })
  documentId!: string;

  @IntegerField({ description: 'Version among the plans of the document, from 1.', example: 1, min: 1 })
  planNo!: number;

  @CodedField({ description: 'How it stands.', table: planStatusTable, example: PlanStatus.WaitConfirm })
  planStatus!: CodedView;

  @ChoiceField({ description: 'Who wrote it.', example: PlanSource.Recommended, options: Object.values(PlanSource) })
  source!: string;

  @TextField({ description: 'Its strategies in short form.', example: 'PARENT:1;CHILD:2' })
  strategySnapshot!: string;

  @IntegerField({ description: 'The text revision it was made for.', example: 1, min: 1 })
  textRevision!: number;

  @ObjectListField({ description: 'Its steps in order.' }, () => StepView)
  steps!: StepView[];

  @ObjectListField({ description: 'Why it is as it is.' }, () => ReasonView)
  reasons!: ReasonView[];

  @JsonObjectField({ description: 'What was measured on the document.', example: { chars: 20_000, headings: 12 } })
  features!: object;

  @IdTextField({ description: 'The plan an edit started from.', example: '241865211904000005', nullable: true })
  basedOn!: string | null;

  @IdTextField({ description: 'Who made it; null for the service.', example: '4711', nullable: true })
  createdBy!: string | null;

  @TimeField({ description: 'When it was made.', example: '2026-03-01T08:00:00.000Z' })
  createdAt!: TimeText;

  @IdTextField({ description: 'Who confirmed it.', example: '4711', nullable: true })
  confirmedBy!: string | null;

  @TimeField({ description: 'When it was confirmed.', example: '2026-03-01T08:05:00.000Z', nullable: true })
  confirmedAt!: TimeText | null;
}

export function planView(plan: StoredPlan, language: Language): PlanView {
  return {
    planId: plan.planId,
    documentId: plan.documentId,
    planNo: plan.planNo,
    planStatus: describe(planStatusTable, plan.planStatus, language),
    source: plan.source,
    strategySnapshot: plan.strategySnapshot,
    textRevision: plan.textRevision,
    steps: plan.steps.map((step) => stepView(step, language)),
    reasons: plan.reasons.map(({ code, text, evidence }) => ({ code, text: text[language], evidence })),
    features: plan.features,
    basedOn: plan.basedOn,
    createdBy: plan.createdBy,
    createdAt: timeText(plan.createdAt),
    confirmedBy: plan.confirmedBy,
    confirmedAt: timeText(plan.confirmedAt),
  };
}

function stepView({ stepNo, level, strategy, params, executeStatus }: StoredStep, language: Language): StepView {
  return {
    stepNo,
    level,
    strategy: describe(strategyTable, strategy, language),
    params,
    executeStatus: describe(executeStatusTable, executeStatus, language),
  };
}
