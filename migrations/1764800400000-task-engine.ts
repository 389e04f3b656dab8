import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // When the running attempt last got on, and when it is over its limit. They mean something while a task is RUNNING.
  `alter table task add column progressed_at timestamptz, add column deadline_at timestamptz`,

  // Workers look for claimable tasks of their kinds, readers for places in line; each asks for one status and type.
  `create index task_live_by_type on task (task_status, task_type, id) where task_status in (1, 2, 5)`,

  // Worker processes, alive for as long as they say so again in time.
  `create table worker (
     id bigint primary key,
     host text not null,
     pid integer not null check (pid > 0),
     -- Consumer group → tasks that it works on at once.
     slots jsonb not null,
     started_at timestamptz not null default clock_timestamp(),
     alive_until timestamptz not null
   )`,
];

/** What lets workers find work without the broker, limits stages in time, and tells who is alive. */
export class TaskEngine1764800400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
