import type { Database } from '../database/database.js';
import type { Id } from '../domain/ids/id.js';

/** What belongs to a document before it is built, with the columns that name it. */
const parts = [
  { table: 'document_text', owner: 'document_id' },
  { table: 'document_text_segment', owner: 'document_id' },
  { table: 'document_block_page', owner: 'document_id' },
] as const;

/**
 * Copies a confirmed document that was never built, with text and plan, as often as is asked for; gives the ids, which
 * begin with `firstId`: far below those of the service, so that neither can meet the other.
 */
export async function copyConfirmed(
  database: Database,
  { documentId, planId }: { documentId: Id; planId: Id },
  { copies, firstId }: { copies: number; firstId: number },
): Promise<Id[]> {
  const last = firstId + copies - 1;
  return database.transaction(async (tx) => {
    const copy = (table: string, changes: string, where: string, of: Id): Promise<unknown[]> =>
      tx.query(
        `insert into ${table} select (jsonb_populate_record(r, jsonb_build_object(${changes}))).*
           from ${table} r, generate_series(${firstId}, ${last}) n where r.${where} = $1`,
        [of],
      );
    await copy('document', `'id', n, 'current_plan_id', n, 'source_key', r.source_key || n`, 'id', documentId);
    for (const { table, owner } of parts) await copy(table, `'${owner}', n`, owner, documentId);
    await copy('strategy_plan', `'id', n, 'document_id', n`, 'id', planId);
    await copy('strategy_step', `'plan_id', n`, 'plan_id', planId);
    return Array.from({ length: copies }, (_, i) => String(firstId + i));
  });
}
