import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a task is by its type where nobody has said: processes of the version before go on writing such rows. */
const said = `(coalesce(priority, case task_type when 4 then 2 else 1 end))`;

const statements = [
  // 1: somebody waits for it, 2: one of many. Written by whoever makes the task.
  `alter table task add column priority smallint check (priority in (1, 2))`,

  // Workers look for tasks of their kinds, the urgent ones first, however many others wait.
  `create index task_live_by_priority on task (task_status, task_type, ${said}, id) where task_status in (1, 2, 5)`,
  `drop index task_live_by_type`,
];

/** Lets parses and deletions, too, be told apart by whether somebody waits for them. */
export class TaskPriority1764800800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
