import { IdField } from '../fields/id-fields.js';

/** Body of calls that stop, repeat or settle something: only who asks for it. */
export class TaskCommandRequest {
  @IdField({ description: 'Who asks for it; the system if absent.', example: '4711', optional: true })
  operatorId?: string;
}
