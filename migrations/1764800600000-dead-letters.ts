import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // What could not be done and was put aside for a person: tasks out of retries, and messages that nobody can read.
  `create table dead_letter (
     id bigint primary key,
     tenant_id bigint not null default 0,
     kind text not null check (kind in ('TASK', 'MESSAGE')),
     -- What it is about. There is one open letter about a thing at most.
     subject text not null check (length(subject) <= 100),
     -- Of a message, as it came; texts are cut to a bound.
     topic text check (length(topic) <= 256),
     key text check (length(key) <= 256),
     value text check (length(value) <= 8192),
     -- The size of the value before it was cut.
     value_bytes integer check (value_bytes >= 0),
     headers jsonb,
     -- Of a task; its row may be gone before the letter is.
     task_id bigint,
     document_id bigint,
     attempt integer,
     code text,
     reason text not null,
     state text not null default 'OPEN' check (state in ('OPEN', 'REPLAYED', 'DISCARDED')),
     created_at timestamptz not null default clock_timestamp(),
     settled_at timestamptz,
     -- The person who asked for that.
     settled_by bigint,
     check ((state = 'OPEN') = (settled_at is null)),
     check (case kind when 'TASK' then num_nulls(task_id, attempt, code) = 0 and num_nonnulls(topic, value, headers) = 0
                      else num_nulls(topic, headers) = 0 and num_nonnulls(task_id, document_id, attempt) = 0 end)
   )`,
  `create unique index dead_letter_open on dead_letter (subject) where state = 'OPEN'`,
  `create index dead_letter_by_tenant on dead_letter (tenant_id, id)`,
];

/** Dead letters, which operators list, replay and discard. */
export class DeadLetters1764800600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
