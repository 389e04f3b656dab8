import { TaskPriority } from '../domain/task/task-priority.js';
import { TaskType } from '../domain/task/task-type.js';

/** SQL for how urgent a row of `task` is, as an index has it: by its type where whoever made the row did not say. */
export function prioritySql(task: string): string {
  const byType = `case ${task}.task_type when ${TaskType.RebuildIndex} then ${TaskPriority.Bulk} else ${TaskPriority.Interactive} end`;
  return `coalesce(${task}.priority, ${byType})`;
}
