import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // How a batch stands is told from its items, and what has a task, from the task: nothing of it is stored twice.
  `create table batch (
     id bigint primary key,
     tenant_id bigint not null default 0,
     -- Null for a list of documents.
     knowledge_base_id bigint references knowledge_base (id),
     only_stale boolean not null,
     reason text,
     trigger_source smallint not null check (trigger_source in (1, 2)),
     operator_id bigint,
     -- Who last asked for its failed items again.
     retried_by bigint,
     total integer not null check (total >= 0),
     -- When no item was open any more.
     filled_at timestamptz,
     cancelled_at timestamptz,
     -- Whichever batch was not looked at for longest is filled first.
     looked_at timestamptz not null default clock_timestamp(),
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create index batch_by_tenant on batch (tenant_id, id)`,
  `create index batch_to_fill on batch (looked_at) where filled_at is null and cancelled_at is null`,

  `create table batch_item (
     batch_id bigint not null references batch (id),
     -- As the caller said; there may be no such document.
     document_id bigint not null,
     tenant_id bigint not null default 0,
     -- It waits to be given a task, a reason, or its failed task again.
     open boolean not null default true,
     task_id bigint unique references task (id),
     skip_reason text check (skip_reason in ('NOT_CONFIRMED', 'NOT_PARSED', 'DELETED', 'NOT_FOUND', 'UNCHANGED',
                                             'BUILD_IN_PROGRESS', 'PLAN_INVALID')),
     error jsonb,
     primary key (batch_id, document_id),
     check (num_nonnulls(task_id, skip_reason, error) <= 1),
     check (open or num_nonnulls(task_id, skip_reason, error) = 1)
   )`,
  `create index batch_item_open on batch_item (batch_id, document_id) where open`,

  `create index task_by_batch on task (batch_id, id) where batch_id is not null`,
  `create index task_live_of_batch on task (batch_id) where batch_id is not null and task_status in (1, 2, 5)`,
];

/** Batches of rebuilds and their items. */
export class Batch1764800300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
