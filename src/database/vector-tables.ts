import type { Database } from './database.js';

/** More than any model of today gives; pgvector itself takes 16,000. */
export const maxDimension = 4_096;

/** A row must fit a page to be stored plain; of its 8 kB, four bytes go to each number and about 60 to the rest. */
const maxPlainDimension = 2_000;

/** Serialises the making of tables, which PostgreSQL does not do for `if not exists`. */
const vectorTableLock = 7_301_846_117;

/**
 * Name of the table that holds the vectors of that dimension, safe to put into a statement.
 *
 * @throws RangeError unless it is a whole number from 1 to {@link maxDimension}.
 */
export function vectorTable(dimension: number): string {
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > maxDimension) {
    throw new RangeError(`a vector has 1 to ${maxDimension} dimensions, not ${dimension}`);
  }
  return `chunk_vector_${dimension}`;
}

/**
 * Makes the table for vectors of that dimension if it is missing; any number of processes may do so at once. The table
 * is narrow and its vectors lie in the rows themselves, where they fit: an exact scan of a base reads nothing else.
 */
export async function ensureVectorTable(database: Database, dimension: number): Promise<void> {
  const table = vectorTable(dimension);
  if (await exists(database, table)) return;
  await database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [vectorTableLock]);
    await transaction.query(
      `create table if not exists ${table} (
         knowledge_base_id bigint not null,
         version_id bigint not null,
         ordinal integer not null,
         embedding vector(${dimension}) not null,
         primary key (knowledge_base_id, version_id, ordinal)
       )`,
    );
    // Compression cannot shrink a vector; one that is too long for its row is kept beside it as it is.
    const storage = dimension <= maxPlainDimension ? 'plain' : 'external';
    await transaction.query(`alter table ${table} alter column embedding set storage ${storage}`);
  });
}

async function exists(database: Database, table: string): Promise<boolean> {
  const rows = await database.query('select from pg_class where oid = to_regclass($1)', [table]);
  return rows.length > 0;
}
