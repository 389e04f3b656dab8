import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // The bytes of a value that is no text, so that it can be replayed as it was; its column for texts shows it to people.
  `alter table dead_letter add column raw_value bytea check (length(raw_value) <= 8192),
     add constraint dead_letter_raw_check check (raw_value is null or kind = 'MESSAGE')`,
];

/** Keeps messages that are no text byte for byte. */
export class RawValues1764800900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
