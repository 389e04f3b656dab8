import { taskStatusTable, type TaskStatus } from '../../domain/task/task-status.js';
import { taskTypeTable, type TaskType } from '../../domain/task/task-type.js';
import { IdTextField } from '../fields/id-fields.js';
import { IntegerTextField } from '../fields/number-fields.js';
import { CodeTextField } from '../fields/structured-fields.js';

/** Filters of `GET /tasks`. */
export class TaskListQuery {
  @IdTextField({ description: 'Tasks of this document.', example: '241865211904000002', optional: true })
  documentId?: string;

  @CodeTextField({
    description: 'Tasks in this status, by code or name.',
    example: 'RUNNING',
    table: taskStatusTable,
    optional: true,
  })
  taskStatus?: TaskStatus;

  @CodeTextField({
    description: 'Tasks of this type, by code or name.',
    example: 'BUILD_INDEX',
    table: taskTypeTable,
    optional: true,
  })
  taskType?: TaskType;

  @IdTextField({ description: 'Tasks of this batch.', example: '241865211904000004', optional: true })
  batchId?: string;
}

/** How long `GET /tasks/:taskId` may wait for a change. */
export class TaskQuery {
  @IntegerTextField({
    description:
      'Holds the answer until the task changes, for so many ms at most. With If-None-Match: until its ETag differs.',
    example: 10_000,
    min: 0,
    max: 'waitMs',
    optional: true,
  })
  waitMs?: number;
}
