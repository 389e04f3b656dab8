import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // What upkeep looks through again and again: few rows of large tables.
  `create index document_building on document (id) where index_status = 2 and deleted_at is null`,
  `create index document_parsing on document (id) where parse_status in (1, 2) and deleted_at is null`,
  `create index document_by_source on document (source_key)`,
  `create index outbox_failed on outbox (id) where status = 3`,
  `create index task_finished on task (finished_at, id) where finished_at is not null`,

  // Keys of files that were cleared away because nobody owned them: no document may come to name one afterwards. Of no
  // tenant, because nobody ever owned them.
  `create table removed_file (
     key text primary key,
     removed_at timestamptz not null default clock_timestamp()
   )`,
];

/** Indexes of the passes that look for drift, and the files that are gone for good. */
export class Drift1764800500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
