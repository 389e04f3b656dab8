import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Identities are handed out before the commit, so a reader that remembers the highest one can pass over a line that
  // commits late. A transaction's number says when all lines before it have been decided on.
  `alter table task_log add column written_in xid8 not null default pg_current_xact_id()`,
  `create index task_log_by_commit on task_log (written_in, id)`,
];

/** The order in which a reader can follow the log of all tasks without losing a line. */
export class TaskLogCommitOrder1764800100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
