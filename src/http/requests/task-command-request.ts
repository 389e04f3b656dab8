import { IdField } from '../fields/id-fields.js';

/** Body of `POST /tasks/:taskId/cancel` and `POST /tasks/:taskId/retry`. */
export class TaskCommandRequest {
  @IdField({ description: 'Who asks for it; the system if absent.', example: '4711', optional: true })
  operatorId?: string;
}
