import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `create extension if not exists vector`,

  // Node numbers of id generators, held by live processes.
  `create table node_lease (
     node smallint primary key check (node between 0 and 1023),
     holder text not null,
     leased_until timestamptz not null
   )`,

  `create table knowledge_base (
     id bigint primary key,
     tenant_id bigint not null default 0,
     name text not null,
     description text,
     embedding_model text not null,
     language text,
     is_default boolean not null default false,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  `create unique index knowledge_base_name on knowledge_base (tenant_id, name) where deleted_at is null`,
  `create unique index knowledge_base_default on knowledge_base (tenant_id) where is_default and deleted_at is null`,

  `create table document (
     id bigint primary key,
     tenant_id bigint not null default 0,
     knowledge_base_id bigint not null references knowledge_base (id),
     title text not null,
     file_name text not null,
     media_type text not null,
     size_bytes bigint not null check (size_bytes >= 0),
     source_hash text not null,
     source_key text not null,
     encoding text,
     encoding_confidence real,
     language text,
     parse_status smallint not null check (parse_status in (1, 2, 3, 4)),
     strategy_status smallint not null check (strategy_status in (1, 2, 3)),
     index_status smallint not null check (index_status in (1, 2, 3, 4)),
     current_plan_id bigint,
     text_revision integer not null default 0,
     active_version_id bigint,
     parse_warnings jsonb not null default '[]',
     error jsonb,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     deleted_at timestamptz,
     -- When nothing of a deleted document was left but its row, tasks and logs.
     purged_at timestamptz,
     check (purged_at is null or deleted_at is not null)
   )`,
  `create index document_to_purge on document (knowledge_base_id, id) where deleted_at is not null and purged_at is null`,
  `create index document_by_base on document (tenant_id, knowledge_base_id, id) where deleted_at is null`,
  `create index document_by_hash on document (tenant_id, knowledge_base_id, source_hash) where deleted_at is null`,

  // One parse result; immutable, kept while a version that was cut from it lives.
  `create table document_text (
     document_id bigint not null references document (id),
     revision integer not null check (revision > 0),
     tenant_id bigint not null default 0,
     char_length integer not null check (char_length >= 0),
     block_count integer not null check (block_count >= 0),
     source_hash text not null,
     parser_version integer not null,
     normaliser_version integer not null,
     created_at timestamptz not null default now(),
     primary key (document_id, revision)
   )`,
  `create table document_text_segment (
     document_id bigint not null,
     revision integer not null,
     seq integer not null,
     char_start integer not null,
     char_end integer not null check (char_end > char_start),
     content text not null,
     primary key (document_id, revision, seq),
     foreign key (document_id, revision) references document_text (document_id, revision) on delete cascade
   )`,
  `create table document_block_page (
     document_id bigint not null,
     revision integer not null,
     seq integer not null,
     first_ordinal integer not null,
     blocks jsonb not null,
     primary key (document_id, revision, seq),
     foreign key (document_id, revision) references document_text (document_id, revision) on delete cascade
   )`,

  `create table strategy_plan (
     id bigint primary key,
     tenant_id bigint not null default 0,
     document_id bigint not null references document (id),
     plan_no integer not null check (plan_no > 0),
     plan_status smallint not null check (plan_status in (1, 2, 3)),
     source text not null check (source in ('RECOMMENDED', 'EDITED')),
     strategy_snapshot text not null,
     text_revision integer not null,
     features jsonb not null default '{}',
     reasons jsonb not null default '[]',
     based_on bigint,
     created_by bigint,
     created_at timestamptz not null default now(),
     confirmed_by bigint,
     confirmed_at timestamptz,
     status smallint not null default 1 check (status in (0, 1)),
     unique (document_id, plan_no)
   )`,
  `create table strategy_step (
     plan_id bigint not null references strategy_plan (id),
     step_no smallint not null check (step_no > 0),
     tenant_id bigint not null default 0,
     level text not null check (level in ('PARENT', 'CHILD')),
     strategy smallint not null check (strategy between 1 and 6),
     params jsonb not null default '{}',
     execute_status smallint not null default 1 check (execute_status in (1, 2, 3, 4)),
     primary key (plan_id, step_no)
   )`,

  `create table task (
     id bigint primary key,
     tenant_id bigint not null default 0,
     -- Null for the deletion of a whole base.
     document_id bigint,
     knowledge_base_id bigint not null,
     plan_id bigint,
     batch_id bigint,
     task_type smallint not null check (task_type in (1, 2, 3, 4)),
     task_status smallint not null check (task_status in (1, 2, 3, 4, 5, 6, 7)),
     current_stage smallint not null check (current_stage between 1 and 6),
     trigger_source smallint not null check (trigger_source in (1, 2)),
     operator_id bigint,
     strategy_snapshot text,
     build_spec jsonb,
     stages jsonb not null,
     retry_count integer not null default 0 check (retry_count >= 0),
     max_retry_count integer not null check (max_retry_count >= 0),
     attempt integer not null default 0 check (attempt >= 0),
     worker_id text,
     lease_until timestamptz,
     next_retry_at timestamptz,
     sent_at timestamptz not null default clock_timestamp(),
     send_count integer not null default 1,
     error jsonb,
     created_at timestamptz not null default clock_timestamp(),
     started_at timestamptz,
     finished_at timestamptz,
     check (task_status <> 2 or (lease_until is not null and attempt > 0)),
     check (document_id is not null or task_type = 3),
     check (task_status <> 5 or next_retry_at is not null),
     check ((finished_at is not null) = (task_status in (3, 4, 6, 7))),
     check (task_type not in (2, 4) or (plan_id is not null and strategy_snapshot is not null and build_spec is not null))
   )`,
  // NEW, RUNNING and RETRYING are live; BUILD_INDEX, DELETE_INDEX and REBUILD_INDEX write the index.
  `create unique index task_one_live_index on task (document_id)
     where task_type in (2, 3, 4) and task_status in (1, 2, 5)`,
  `create unique index task_one_live_parse on task (document_id) where task_type = 1 and task_status in (1, 2, 5)`,
  `create index task_by_document on task (tenant_id, document_id, id)`,
  `create index task_live on task (task_status, id) where task_status in (1, 2, 5)`,

  `create table task_log (
     id bigint generated always as identity primary key,
     tenant_id bigint not null default 0,
     task_id bigint not null references task (id),
     at timestamptz not null default clock_timestamp(),
     stage smallint not null check (stage between 1 and 6),
     event text not null,
     actor smallint not null check (actor in (1, 2)),
     operator_id bigint,
     metadata jsonb not null default '{}'
   )`,
  `create index task_log_by_task on task_log (task_id, id)`,

  `create table index_version (
     id bigint primary key,
     tenant_id bigint not null default 0,
     document_id bigint not null references document (id),
     knowledge_base_id bigint not null,
     version integer not null check (version > 0),
     task_id bigint not null unique references task (id),
     plan_id bigint not null,
     text_revision integer not null,
     source_hash text not null,
     model_id text not null,
     dimension integer not null check (dimension > 0),
     state smallint not null check (state in (1, 2, 3)),
     parent_count integer not null default 0,
     child_count integer not null default 0,
     token_count bigint not null default 0,
     coverage jsonb,
     created_at timestamptz not null default now(),
     activated_at timestamptz,
     unique (document_id, version)
   )`,
  `create unique index index_version_one_active on index_version (document_id) where state = 2`,
  `create table chunk (
     id bigint primary key,
     tenant_id bigint not null default 0,
     document_id bigint not null,
     knowledge_base_id bigint not null,
     version_id bigint not null references index_version (id),
     level text not null check (level in ('PARENT', 'CHILD')),
     ordinal integer not null check (ordinal >= 0),
     parent_ordinal integer,
     char_start integer not null,
     char_end integer not null check (char_end > char_start),
     content text not null,
     tokens integer not null check (tokens > 0),
     overlap_start integer not null check (overlap_start >= 0),
     heading_path jsonb not null default '[]',
     context jsonb,
     rule text not null,
     forced boolean not null default false,
     pages jsonb,
     terms tsvector,
     check ((level = 'CHILD') = (parent_ordinal is not null)),
     unique (version_id, level, ordinal)
   )`,
  `create index chunk_terms on chunk using gin (terms)`,

  `create table outbox (
     id bigint primary key,
     tenant_id bigint not null default 0,
     aggregate_id bigint not null,
     topic text not null,
     payload jsonb not null,
     headers jsonb not null,
     status smallint not null default 1 check (status in (1, 2, 3)),
     tries integer not null default 0,
     next_try_at timestamptz not null default clock_timestamp(),
     last_error text,
     created_at timestamptz not null default clock_timestamp(),
     sent_at timestamptz
   )`,
  `create index outbox_pending on outbox (aggregate_id, id) where status = 1`,
  `create index outbox_sent on outbox (sent_at) where status = 2`,

  // One row per timed pass: whoever moves next_run_at on runs it.
  `create table upkeep_pass (
     name text primary key,
     next_run_at timestamptz not null,
     last_run_at timestamptz,
     last_counts jsonb,
     last_error text
   )`,
];

/** All tables from documents to index versions. Vector tables are made per dimension, when a model first needs one. */
export class Spine1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
