import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds dead letters that were settled long ago without reading all that are open. */
export class SettledLetters1764800700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index dead_letter_settled on dead_letter (settled_at) where state <> 'OPEN'`);
  }

  /** Migrations only go forward; a wrong one is mended by the next. */
  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward'));
  }
}
