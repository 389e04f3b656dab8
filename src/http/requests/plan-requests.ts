import type { ProposedStep } from '../../chunking/validate-steps.js';
import { IdField } from '../fields/id-fields.js';
import { FlagTextField } from '../fields/number-fields.js';
import { CodeOrNameField, JsonObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField } from '../fields/text-fields.js';

const operator = { description: 'The person who asks; the system if absent.', example: '4711', optional: true };

/** A step as a person writes it. What it says is judged as a plan; here only its shape is. */
export class ProposedStepRequest implements ProposedStep {
  @TextField({ description: 'PARENT or CHILD.', example: 'CHILD', maxLength: 50 })
  level!: string;

  @CodeOrNameField({ description: 'A strategy, by code or name.', example: 'RECURSIVE' })
  strategy!: number | string;

  @JsonObjectField({
    description: 'Parameters that differ from the defaults; see `GET /strategies`.',
    example: { maxTokens: 200 },
    optional: true,
  })
  params?: Record<string, unknown>;
}

/** Body of `POST /documents/:documentId/plans`. */
export class EditPlanRequest {
  @ObjectListField({ description: 'The steps in order, those of PARENT first.' }, () => ProposedStepRequest)
  steps!: ProposedStepRequest[];

  @IdField({ description: 'The plan this one started from.', example: '241865211904000003', optional: true })
  basedOn?: string;

  @IdField(operator)
  operatorId?: string;
}

/** Body of `POST /documents/:documentId/plans/recommend`. */
export class RecommendPlanRequest {
  @IdField(operator)
  operatorId?: string;
}

/** Body of `POST /plans/:planId/confirm`. */
export class ConfirmPlanRequest {
  @IdField(operator)
  operatorId?: string;
}

/** Body of `POST /plans/:planId/preview`. */
export class PreviewPlanRequest {}

/** Query of `POST /plans/:planId/preview`. */
export class PreviewPlanQuery {
  @FlagTextField({ description: 'Gives each chunk its text.', example: true, optional: true })
  withText?: boolean;
}
