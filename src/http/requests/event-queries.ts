import { IdTextField } from '../fields/id-fields.js';
import { FlagTextField } from '../fields/number-fields.js';

/** Query of `GET /tasks/:taskId/events`. */
export class TaskEventsQuery {
  @FlagTextField({
    description: 'Adds `progress` events, without an id, whenever the task has moved on.',
    example: true,
    optional: true,
  })
  progress?: boolean;
}

/** Query of `GET /events`. */
export class BaseEventsQuery {
  @IdTextField({ description: 'The base to follow.', example: '241865211904000000' })
  knowledgeBaseId!: string;
}
