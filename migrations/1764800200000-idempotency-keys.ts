import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // One row per key that a creating request carries: running, then done (outcome), then answered.
  `create table idempotency_key (
     tenant_id bigint not null default 0,
     key text not null check (key ~ '^[!-~]{1,255}$'),
     -- Tells one request from another: hash of route, path, query and body.
     fingerprint text not null,
     -- Whoever runs the request; each run has another one.
     claim uuid not null,
     claimed_until timestamptz not null,
     -- What the creating transaction gave; written by that transaction.
     outcome json,
     status smallint check (status between 200 and 299),
     headers json,
     body json,
     created_at timestamptz not null default clock_timestamp(),
     primary key (tenant_id, key),
     check ((status is null) = (body is null) and (status is null) = (headers is null))
   )`,
  `create index idempotency_key_age on idempotency_key (created_at)`,
];

/** Keys by which clients repeat creating requests, with what became of them. */
export class IdempotencyKeys1764800200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
