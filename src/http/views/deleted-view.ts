import { ObjectField } from '../fields/structured-fields.js';
import { TaskView } from './task-view.js';

/** What was hidden at once and is removed by a task. */
export class DeletedView {
  @ObjectField({ description: 'The task that removes the rest; poll it.' }, () => TaskView)
  task!: TaskView;
}
