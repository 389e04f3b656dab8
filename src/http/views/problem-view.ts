import { IntegerField } from '../fields/number-fields.js';
import { ObjectListField } from '../fields/structured-fields.js';
import { TextField } from '../fields/text-fields.js';

/** One wrong field of a request. */
export class FieldProblemView {
  @TextField({ description: 'Where: in the body, form, query or path.', example: 'documentId' })
  path!: string;

  @TextField({ description: 'What is wrong with it.', example: 'is required' })
  message!: string;
}

/** How every error is answered (RFC 9457). Errors add members of their own, for example `currentPlanId`. */
export class Problem {
  @TextField({ description: 'URN of the kind of problem.', example: 'urn:indexwright:problem:invalid-request' })
  type!: string;

  @TextField({ description: 'The kind of problem in words.', example: 'The request is not valid' })
  title!: string;

  @IntegerField({ description: 'The HTTP status.', example: 400, min: 400, max: 599 })
  status!: number;

  @TextField({ description: 'Stable code of the kind of problem.', example: 'INVALID_REQUEST' })
  code!: string;

  @TextField({ description: 'This case in words.', example: 'documentId is required.' })
  detail!: string;

  @TextField({
    description: 'Id of the request, also in X-Request-Id and in the log.',
    example: '7b0c6d4e-8a63-4a55-9d0f-0f6f1f7f5a51',
  })
  requestId!: string;

  @ObjectListField(
    { description: 'With INVALID_REQUEST: everything that is wrong.', optional: true },
    () => FieldProblemView,
  )
  fields?: FieldProblemView[];
}
