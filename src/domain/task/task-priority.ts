import type { CodeTable } from '../coded-value.js';
import { TaskType } from './task-type.js';

/** Which of two tasks of a kind goes first, whatever their age. */
export const TaskPriority = {
  /** Somebody waits for it. */
  Interactive: 1,
  /** One of many: taken while no interactive one waits. */
  Bulk: 2,
} as const;
export type TaskPriority = (typeof TaskPriority)[keyof typeof TaskPriority];

export const taskPriorities: readonly TaskPriority[] = Object.values(TaskPriority);

export const taskPriorityTable: CodeTable<TaskPriority> = {
  1: { name: 'INTERACTIVE', text: { en: 'Before work in bulk', zh: '优先于批量任务' } },
  2: { name: 'BULK', text: { en: 'In bulk, behind what people wait for', zh: '批量，排在交互任务之后' } },
};

/** What a type of task is where nobody says otherwise. */
export function priorityByType(type: TaskType): TaskPriority {
  return type === TaskType.RebuildIndex ? TaskPriority.Bulk : TaskPriority.Interactive;
}
