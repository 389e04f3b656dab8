import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // The hop of a trace that made it or last set it off again: {"traceparent": …, "tracestate": …}. Later hops go on from there.
  `alter table task add column trace jsonb check (octet_length(trace::text) <= 1000)`,
  `alter table batch add column trace jsonb check (octet_length(trace::text) <= 1000)`,
];

/** Lets retries, messages that are sent again and tasks of batches belong to the trace of the call that set them off. */
export class Trace1764801000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
